/** W3C trace context: accepted or begun at the edge, passed on in calls, shown in logs and problems. */
@NullMarked
package io.weighbridge.ledger.http.trace;

import org.jspecify.annotations.NullMarked;
