/** Calls to other services with time limits, circuit breakers, the own credential and their problems. */
@NullMarked
package io.weighbridge.ledger.http.calls;

import org.jspecify.annotations.NullMarked;
