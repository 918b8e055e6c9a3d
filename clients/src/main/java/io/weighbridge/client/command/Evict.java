package io.weighbridge.client.command;

import io.weighbridge.ledger.vocabulary.Residency;
import picocli.CommandLine.Command;

/** Move a revision from memory to cold tiers; refused while it is leased. */
@Command(name = "evict", description = "Move a revision from memory to cold tiers; refused while it is leased.")
final class Evict extends ResidencyChange {

    Evict() {
        super(Residency.COLD);
    }
}
