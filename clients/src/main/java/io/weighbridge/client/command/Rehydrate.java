package io.weighbridge.client.command;

import io.weighbridge.ledger.vocabulary.Residency;
import picocli.CommandLine.Command;

/** Bring a revision back into memory. */
@Command(name = "rehydrate", description = "Bring a revision back into memory.")
final class Rehydrate extends ResidencyChange {

    Rehydrate() {
        super(Residency.HOT);
    }
}
