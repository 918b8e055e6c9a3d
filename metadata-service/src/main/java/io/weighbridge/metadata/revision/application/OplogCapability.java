package io.weighbridge.metadata.revision.application;

import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemCode;
import java.util.Optional;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Whether weight mutations may be written while standbys replay the ledger (spec 1.9). It fails closed: an operator who
 * declares high availability also asserts that every standby understands all weight entries. Reads are never gated.
 *
 * @param highAvailability the ledger has standbys of this software's own oplog
 * @param weightManagementOplogCapabilityConfirmed the operator's assertion, not discovered
 */
@ConfigurationProperties("weighbridge")
public record OplogCapability(
        @DefaultValue("false") boolean highAvailability,
        @DefaultValue("false") boolean weightManagementOplogCapabilityConfirmed) {

    /** Why mutations are refused now; empty when they are not. */
    Optional<Problem> refuses() {
        return highAvailability && !weightManagementOplogCapabilityConfirmed
                ? Optional.of(Problem.of(
                        ProblemCode.DURABILITY_FAILED,
                        "high availability is declared, but weight_management_oplog_capability_confirmed is not set;"
                                + " nothing was written"))
                : Optional.empty();
    }
}
