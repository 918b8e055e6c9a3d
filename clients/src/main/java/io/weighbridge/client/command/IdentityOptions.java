package io.weighbridge.client.command;

import io.weighbridge.ledger.identity.RevisionIdentity;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The exact identity of a revision; the tenant comes from the credential. */
final class IdentityOptions {

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "TEXT",
            defaultValue = "default",
            description = "Default: default.")
    String namespace = "";

    @Option(
            names = {"-m", "--resource"},
            paramLabel = "TEXT",
            description = "Which model, such as llama-70b.")
    @Nullable
    String resourceId;

    @Option(
            names = {"-r", "--revision"},
            paramLabel = "TEXT",
            description = "Which weights of it, such as step-100.")
    @Nullable
    String revision;

    @Option(
            names = {"-g", "--weight-generation"},
            paramLabel = "N",
            defaultValue = "1",
            description = "Default: 1.")
    long weightGeneration;

    @Option(
            names = "--tenant",
            paramLabel = "TEXT",
            defaultValue = "default",
            description = "The credential's tenant (default: default).")
    String tenant = "";

    boolean isGiven() {
        return resourceId != null && revision != null;
    }

    /** @throws io.weighbridge.ledger.problem.ProblemException INVALID_ARGUMENT that names the missing component */
    RevisionIdentity identity() {
        return new RevisionIdentity(tenant, namespace, orEmpty(resourceId), orEmpty(revision), weightGeneration);
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
