package io.weighbridge.lease.revisionlease.postgres;

import io.weighbridge.lease.revisionlease.domain.LeaseEvent;
import io.weighbridge.lease.revisionlease.domain.LeaseEvent.Cause;
import io.weighbridge.lease.revisionlease.domain.LeaseState.Lease;
import io.weighbridge.lease.revisionlease.postgres.LeaseChanges.Happened;
import io.weighbridge.ledger.store.OplogEntry;
import io.weighbridge.ledger.vocabulary.EntryKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the oplog tells of leases (spec 1.9): each grant, each fresh token and each end, never a renewal. Folding the
 * entries by lease id gives the rows. They hold tokens' hashes, as the rows do, and no token.
 */
public final class LeaseEntries {

    /** A lease's post-state, named like the columns. */
    private record State(
            UUID leaseId,
            String revisionId,
            String tenantId,
            String holder,
            String tokenHash,
            String subject,
            long fencedMetadataGeneration,
            long leaseVersion,
            Instant grantedAt,
            Instant expiresAt,
            @Nullable Cause returned) {}

    private final JsonMapper json;

    public LeaseEntries(JsonMapper json) {
        this.json = json;
    }

    List<OplogEntry> of(List<Happened> events) {
        List<OplogEntry> entries = new ArrayList<>(events.size());
        for (Happened happened : events) {
            switch (happened.event()) {
                case LeaseEvent.Granted granted -> {
                    Lease replaced = granted.replaced();
                    if (replaced != null) {
                        entries.add(gone(replaced, Cause.EXPIRY, happened.subject()));
                    }
                    entries.add(granted(granted.lease(), happened.subject()));
                }
                case LeaseEvent.Reissued(Lease lease) -> entries.add(granted(lease, happened.subject()));
                case LeaseEvent.Renewed renewed -> {}
                case LeaseEvent.Returned(Lease lease, Cause cause) ->
                    entries.add(gone(lease, cause, happened.subject()));
            }
        }
        return entries;
    }

    private OplogEntry granted(Lease lease, String subject) {
        return entry(EntryKind.LeaseGranted, lease, lease.version(), null, subject);
    }

    private OplogEntry gone(Lease lease, Cause cause, String subject) {
        return entry(EntryKind.LeaseReturned, lease, lease.version() + 1, cause, subject);
    }

    private OplogEntry entry(EntryKind kind, Lease lease, long version, @Nullable Cause cause, String subject) {
        State state = new State(
                lease.leaseId(),
                lease.revisionId().hex(),
                lease.tenantId(),
                lease.holder(),
                lease.tokenHash(),
                lease.subject(),
                lease.fencedGeneration(),
                version,
                lease.grantedAt(),
                lease.expiresAt(),
                cause);
        return new OplogEntry(
                kind,
                lease.leaseId().toString(),
                version,
                lease.tenantId(),
                lease.revisionId(),
                null,
                subject,
                json.writeValueAsString(state));
    }
}
