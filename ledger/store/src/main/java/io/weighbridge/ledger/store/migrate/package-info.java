/**
 * The ledger's schema: who makes it ({@code ./weighbridge migrate}, as the owner role), what a service verifies before
 * it takes part, and the upkeep of the oplog's days (spec 1.9).
 */
@NullMarked
package io.weighbridge.ledger.store.migrate;

import org.jspecify.annotations.NullMarked;
