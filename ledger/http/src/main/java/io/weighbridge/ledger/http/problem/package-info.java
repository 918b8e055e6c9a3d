/** Refusals and failures as RFC 9457 problems, and the only table of HTTP statuses. */
@NullMarked
package io.weighbridge.ledger.http.problem;

import org.jspecify.annotations.NullMarked;
