/** What every service's edge does alike; a service imports {@link io.weighbridge.ledger.http.HttpEdge}. */
@NullMarked
package io.weighbridge.ledger.http;

import org.jspecify.annotations.NullMarked;
