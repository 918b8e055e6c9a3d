package io.weighbridge.metadata.revision.postgres;

import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.ledger.store.LedgerTransaction;
import io.weighbridge.metadata.revision.domain.Members;
import io.weighbridge.metadata.revision.domain.Operation;
import io.weighbridge.metadata.revision.domain.Revision;
import io.weighbridge.metadata.revision.domain.Revision.Registered;
import io.weighbridge.metadata.revision.domain.RevisionCommand;
import io.weighbridge.metadata.revision.domain.RevisionEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The only writer of the revision, import heartbeat and operation rows. */
public final class RevisionTable {

    private static final String LOAD =
            "SELECT " + RevisionRows.REVISION + RevisionRows.OPERATION + """
            , EXISTS (SELECT 1 FROM lease.revision_lease_v1 l
                       WHERE l.revision_id = r.revision_id AND l.expires_at > :now
                         AND l.fenced_metadata_generation <= r.metadata_generation) AS leased
            """ + RevisionRows.FROM + """
             WHERE r.revision_id = :id AND (CAST(:tenant AS text) IS NULL OR r.tenant_id = :tenant)
            """;

    private static final String BEAT = """
            INSERT INTO metadata.import_heartbeat (revision_id, beat_at) VALUES (:id, :at)
            ON CONFLICT (revision_id) DO UPDATE SET beat_at = greatest(import_heartbeat.beat_at, excluded.beat_at)
            """;

    private final OperationTable operations = new OperationTable();

    /**
     * A revision as it is.
     *
     * @param leased at least one lease protects it
     */
    public record Loaded(Revision revision, boolean leased) {}

    /** @param tenantId whose it must be; null: anybody's. Another tenant's revision is {@code NoRevision}. */
    public Mono<Loaded> load(LedgerTransaction tx, RevisionId id, @Nullable String tenantId) {
        return Bindings.orNull(
                        tx.sql(LOAD).bind("id", id.hex()).bind("now", tx.now()), "tenant", tenantId, String.class)
                .map(row -> new Loaded(RevisionRows.revision(row), Columns.truth(row, "leased")))
                .one()
                .defaultIfEmpty(new Loaded(new Revision.NoRevision(), false));
    }

    /** What the command needs to know of the members; none where it does not look at them. */
    public Mono<Members> members(LedgerTransaction tx, Registered revision, RevisionCommand command) {
        if (!command.looksAtMembers()) {
            return Mono.just(Members.NONE);
        }
        return command instanceof RevisionCommand.FinishDelete
                ? MemberSummaries.readLeft(tx, revision)
                : MemberSummaries.read(tx, revision);
    }

    /** An operation, active or over; empty when there is none. */
    public Mono<Operation> operation(LedgerTransaction tx, UUID operationId) {
        return operations.load(tx, operationId);
    }

    /** Remembers the highest claim that works on an operation. */
    public Mono<Void> claim(LedgerTransaction tx, UUID operationId, long claimEpoch) {
        return operations.claim(tx, operationId, claimEpoch);
    }

    /**
     * Writes what has happened, and its oplog entries.
     *
     * @return the operations that started or ended, as they are now
     */
    public Mono<List<Operation>> write(
            LedgerTransaction tx, Revision before, Registered after, List<RevisionEvent> events, String subject) {
        List<Operation> touched = touched(before, events);
        return Flux.fromIterable(events)
                .concatMap(event -> writeRow(tx, before, after, event))
                .then(advance(tx, before, after))
                .then(tx.append(RevisionEntries.of(after, events, touched, subject)))
                .thenReturn(touched);
    }

    /** The operations that the events started or ended, as they are after them. */
    private static List<Operation> touched(Revision before, List<RevisionEvent> events) {
        List<Operation> touched = new ArrayList<>();
        for (RevisionEvent event : events) {
            switch (event) {
                case RevisionEvent.OperationStarted started -> touched.add(started.operation());
                case RevisionEvent.OperationSuperseded superseded ->
                    touched.add(active(before).cancelled(superseded.at()));
                case RevisionEvent.OperationCancelled cancelled ->
                    touched.add(active(before).cancelled(cancelled.at()));
                case RevisionEvent.OperationFinished finished ->
                    touched.add(active(before).completed(finished.claimEpoch(), finished.at()));
                case RevisionEvent.OperationProgressed _,
                        RevisionEvent.OperationClaimed _,
                        RevisionEvent.ImportBegun _,
                        RevisionEvent.ImportTakenOver _,
                        RevisionEvent.ImportHeartbeatSeen _,
                        RevisionEvent.ImportCommitted _,
                        RevisionEvent.ImportAborted _,
                        RevisionEvent.PlacementSet _,
                        RevisionEvent.RevisionObserved _,
                        RevisionEvent.DeleteStarted _,
                        RevisionEvent.DeleteFinished _ -> {}
            }
        }
        return touched;
    }

    private static Operation active(Revision before) {
        return Objects.requireNonNull(((Registered) before).operation(), "no active operation");
    }

    /** What an event changes beside the revision's own row. */
    private Mono<Void> writeRow(LedgerTransaction tx, Revision before, Registered after, RevisionEvent event) {
        return switch (event) {
            case RevisionEvent.ImportBegun begun ->
                RevisionStatements.insert(tx, after).then(beat(tx, after, begun.at()));
            case RevisionEvent.ImportTakenOver takenOver ->
                RevisionStatements.takeOver(tx, after).then(beat(tx, after, takenOver.at()));
            case RevisionEvent.ImportHeartbeatSeen(Instant at) -> beat(tx, after, at);
            case RevisionEvent.ImportCommitted _, RevisionEvent.ImportAborted _ ->
                tx.sql("DELETE FROM metadata.import_heartbeat WHERE revision_id = :id")
                        .bind("id", after.id().hex())
                        .then();
            case RevisionEvent.OperationStarted started -> operations.insert(tx, after, started.operation());
            case RevisionEvent.OperationSuperseded superseded ->
                operations.update(tx, active(before).cancelled(superseded.at()));
            case RevisionEvent.OperationCancelled cancelled ->
                operations.update(tx, active(before).cancelled(cancelled.at()));
            case RevisionEvent.OperationFinished finished ->
                operations.update(tx, active(before).completed(finished.claimEpoch(), finished.at()));
            case RevisionEvent.OperationProgressed _ -> operations.update(tx, active(after));
            case RevisionEvent.OperationClaimed claimed ->
                operations.update(tx, active(before).claimed(claimed.claimEpoch()));
            case RevisionEvent.PlacementSet _,
                    RevisionEvent.RevisionObserved _,
                    RevisionEvent.DeleteStarted _,
                    RevisionEvent.DeleteFinished _ -> Mono.empty();
        };
    }

    /** The fence again, in SQL: nobody else can have moved the row under the guard. */
    private static Mono<Void> advance(LedgerTransaction tx, Revision before, Registered after) {
        return switch (before) {
            case Revision.NoRevision() -> Mono.empty();
            case Registered was ->
                was.generation() == after.generation()
                        ? Mono.empty()
                        : RevisionStatements.update(tx, was.generation(), after)
                                .flatMap(count -> count == 1
                                        ? Mono.<Void>empty()
                                        : Mono.error(new ProblemException(Problem.of(
                                                ProblemCode.STALE_GENERATION, "the revision has changed meanwhile"))));
        };
    }

    private static Mono<Void> beat(LedgerTransaction tx, Registered revision, Instant at) {
        return tx.sql(BEAT).bind("id", revision.id().hex()).bind("at", at).then();
    }
}
