package io.weighbridge.metadata.revision.domain;

import java.time.Instant;

/**
 * What a decision takes from outside the revision's own rows, all of it read under the guard.
 *
 * @param now the ledger's clock, whole milliseconds
 * @param leased at least one lease protects the revision (spec 1.5)
 * @param members {@link Members#NONE} for commands that do not look at members
 */
public record Circumstances(Instant now, boolean leased, Members members) {}
