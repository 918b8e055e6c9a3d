/** Server-sent events with heartbeats and resumption. */
@NullMarked
package io.weighbridge.ledger.http.feed;

import org.jspecify.annotations.NullMarked;
