/** Liveness, readiness and metrics on the main port. */
@NullMarked
package io.weighbridge.ledger.http.health;

import org.jspecify.annotations.NullMarked;
