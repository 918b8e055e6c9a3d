/** Tests with a real server. */
@NullMarked
package io.weighbridge.ledger.store.feed;

import org.jspecify.annotations.NullMarked;
