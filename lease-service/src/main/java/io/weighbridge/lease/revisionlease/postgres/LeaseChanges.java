package io.weighbridge.lease.revisionlease.postgres;

import io.weighbridge.lease.revisionlease.domain.LeaseEvent;
import io.weighbridge.lease.revisionlease.domain.LeaseState.Lease;
import java.util.List;
import java.util.UUID;

/**
 * What one transaction does to lease rows, and what has happened.
 *
 * @param granted rows that did not exist
 * @param rewritten rows with another id or token
 * @param prolonged rows that only live longer
 * @param gone rows to remove
 * @param events in the order of their commands
 */
public record LeaseChanges(
        List<Lease> granted,
        List<Rewritten> rewritten,
        List<Lease> prolonged,
        List<Lease> gone,
        List<Happened> events) {

    /** A row as it was found and as it shall be. */
    public record Rewritten(UUID priorId, long priorVersion, Lease lease) {}

    /** An event and who caused it. */
    public record Happened(LeaseEvent event, String subject) {}
}
