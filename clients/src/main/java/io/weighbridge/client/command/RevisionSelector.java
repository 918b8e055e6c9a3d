package io.weighbridge.client.command;

import io.weighbridge.client.rest.GatewayClient;
import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.wire.RevisionView;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** One revision, by its opaque id or by its exact identity. */
final class RevisionSelector {

    @Parameters(
            arity = "0..1",
            paramLabel = "REVISION_ID",
            description = "The 64 hexadecimal digits that publish and list print; or give --resource and --revision.")
    private @Nullable String revisionId;

    @Mixin
    private IdentityOptions identity = new IdentityOptions();

    /** The revision as it is now. */
    RevisionView find(GatewayClient client) {
        if (revisionId != null) {
            return client.revision(revisionId);
        }
        if (!identity.isGiven()) {
            throw new ProblemException(
                    Problem.invalid("revision", "give the revision's id, or its --resource and --revision"));
        }
        return client.lookup(identity.identity());
    }
}
