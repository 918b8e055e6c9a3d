package io.weighbridge.metadata.revision.postgres;

import static io.weighbridge.metadata.revision.postgres.Columns.number;
import static io.weighbridge.metadata.revision.postgres.Columns.textOrNull;
import static io.weighbridge.metadata.revision.postgres.Columns.timeOrNull;

import io.r2dbc.spi.Readable;
import io.weighbridge.ledger.vocabulary.Availability;
import io.weighbridge.metadata.revision.domain.Operation;
import io.weighbridge.metadata.revision.domain.Revision.Registered;
import io.weighbridge.metadata.revision.postgres.SituationReads.Head;
import io.weighbridge.wire.Diagnosis;
import io.weighbridge.wire.Diagnosis.Layer;
import io.weighbridge.wire.Diagnosis.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Mono;

/** Why a revision can, or cannot, be read, from the ledger outwards (spec 2.7). */
final class RevisionDiagnosis {

    /** Names at most ten members of each kind, so that the answer stays short however large the group is. */
    private static final String EVIDENCE = """
            WITH member AS MATERIALIZED (
                SELECT object_id, key FROM metadata.object WHERE revision_id = :id
            ), copy AS MATERIALIZED (
                SELECT m.key, c.state, c.created_at, p.subject, n.node_id,
                       c.segment_epoch = s.segment_epoch AS epoch_holds,
                       s.state IN ('MOUNTED', 'DRAINING') AS mounted, n.state <> 'DEAD' AS alive
                  FROM member m
                  JOIN metadata.replica c ON c.object_id = m.object_id
                  LEFT JOIN metadata.put p ON p.put_id = c.put_id
                  LEFT JOIN metadata.segment s ON s.segment_id = c.segment_id
                  LEFT JOIN metadata.node n ON n.node_id = s.node_id
            ), readable AS MATERIALIZED (
                SELECT DISTINCT object_id FROM metadata.readable_replica_v1 WHERE revision_id = :id
            ), unreadable AS MATERIALIZED (
                SELECT key FROM member WHERE object_id NOT IN (SELECT object_id FROM readable)
            )
            SELECT (SELECT count(*) FROM member) AS members,
                   (SELECT count(*) FROM unreadable) AS unreadable,
                   (SELECT string_agg(key, ', ')
                      FROM (SELECT key FROM unreadable ORDER BY key LIMIT 10) k) AS unreadable_keys,
                   (SELECT count(*) FROM metadata.put WHERE revision_id = :id AND state = 'PENDING') AS puts,
                   (SELECT min(started_at) FROM metadata.put
                     WHERE revision_id = :id AND state = 'PENDING') AS puts_since,
                   (SELECT string_agg(DISTINCT subject, ', ') FROM metadata.put
                     WHERE revision_id = :id AND state = 'PENDING') AS puts_by,
                   count(*) FILTER (WHERE state IN ('INITIALIZED', 'PROCESSING')) AS processing,
                   min(created_at) FILTER (WHERE state IN ('INITIALIZED', 'PROCESSING')) AS processing_since,
                   min(subject) FILTER (WHERE state IN ('INITIALIZED', 'PROCESSING')) AS processing_by,
                   count(*) FILTER (WHERE state = 'COMPLETE') AS complete,
                   count(*) FILTER (WHERE state = 'COMPLETE' AND NOT epoch_holds) AS lost,
                   count(*) FILTER (WHERE state = 'COMPLETE' AND NOT mounted) AS unmounted,
                   count(*) FILTER (WHERE state = 'COMPLETE' AND NOT alive) AS dead,
                   (SELECT string_agg(DISTINCT node_id::text, ', ') FROM copy
                     WHERE state = 'COMPLETE' AND NOT alive) AS dead_nodes
              FROM copy
            """;

    private RevisionDiagnosis() {}

    static Mono<Diagnosis> read(DatabaseClient client, Head head) {
        return client.sql(EVIDENCE)
                .bind("id", head.revision().id().hex())
                .map(row -> diagnosis(head, row))
                .one();
    }

    private static Diagnosis diagnosis(Head head, Readable row) {
        List<Layer> layers = List.of(
                state(head.revision()),
                imported(head),
                puts(head, row),
                replicas(head, row),
                segments(row),
                nodes(row),
                group(head.revision(), row),
                operation(head),
                leases(head));
        boolean readable = layers.stream().noneMatch(layer -> layer.verdict() == Verdict.BLOCKING);
        return new Diagnosis(head.revision().id().hex(), readable, layers);
    }

    private static Layer state(Registered revision) {
        String evidence =
                revision.availability() + ", " + revision.residency() + ", generation " + revision.generation();
        return switch (revision.availability()) {
            case READY -> ok("revision", evidence);
            case DEGRADED ->
                layer("revision", Verdict.BLOCKING, evidence, "repair it, or wait until missing nodes are back");
            case IMPORTING -> layer("revision", Verdict.BLOCKING, evidence, "finish the upload and commit, or abort");
            case DELETING, DELETED ->
                layer("revision", Verdict.BLOCKING, evidence, "publish it again under a higher weight_generation");
        };
    }

    private static Layer imported(Head head) {
        Instant beat = head.revision().session().beatAt();
        if (head.revision().availability() != Availability.IMPORTING) {
            return ok("import", head.revision().publication() == null ? "aborted" : "committed");
        }
        String evidence = "begun by " + head.revision().session().subject() + ", last heartbeat "
                + (beat == null ? "never" : ago(beat, head.now()));
        return layer("import", Verdict.WARNING, evidence, "look whether the importer still runs; take over or abort");
    }

    private static Layer puts(Head head, Readable row) {
        long puts = number(row, "puts");
        return puts == 0
                ? ok("put", "none in progress")
                : layer(
                        "put",
                        Verdict.WARNING,
                        puts + " started but not ended, the oldest " + since(row, "puts_since", head) + ", by "
                                + textOrNull(row, "puts_by"),
                        "end or revoke them; they expire by themselves");
    }

    private static Layer replicas(Head head, Readable row) {
        long processing = number(row, "processing");
        String complete = number(row, "complete") + " complete copies";
        return processing == 0
                ? ok("replica", complete)
                : layer(
                        "replica",
                        Verdict.WARNING,
                        complete + ", " + processing + " being written, the oldest "
                                + since(row, "processing_since", head) + ", by " + textOrNull(row, "processing_by"),
                        "look at the writer and at the receiving agents");
    }

    private static Layer segments(Readable row) {
        long lost = number(row, "lost");
        long unmounted = number(row, "unmounted");
        return lost + unmounted == 0
                ? ok("segment", "all copies on mounted segments of unchanged epoch")
                : layer(
                        "segment",
                        Verdict.WARNING,
                        lost + " copies lost with their segment's epoch, " + unmounted + " on segments not mounted",
                        "mount the segments again, or repair the revision");
    }

    private static Layer nodes(Readable row) {
        long dead = number(row, "dead");
        return dead == 0
                ? ok("node", "no copy on a dead node")
                : layer(
                        "node",
                        Verdict.WARNING,
                        dead + " copies on dead nodes: " + textOrNull(row, "dead_nodes"),
                        "bring the nodes back, or repair the revision");
    }

    private static Layer group(Registered revision, Readable row) {
        long members = number(row, "members");
        long unreadable = number(row, "unreadable");
        String evidence = members + " of " + revision.totalMembers() + " members, " + unreadable + " unreadable"
                + (unreadable == 0 ? "" : ": " + textOrNull(row, "unreadable_keys"));
        return members == revision.totalMembers() && unreadable == 0
                ? ok("group", evidence)
                : layer("group", Verdict.BLOCKING, evidence, "restore the members named, or publish again");
    }

    private static Layer operation(Head head) {
        Operation operation = head.revision().operation();
        return operation == null
                ? ok("operation", "none")
                : layer(
                        "operation",
                        Verdict.WARNING,
                        operation.kind() + " since " + ago(operation.startedAt(), head.now()) + ", "
                                + operation.processedMembers() + " of " + operation.totalMembers() + " members",
                        "leases are refused while it evicts; wait for it or cancel it");
    }

    private static Layer leases(Head head) {
        return ok("lease", head.leases() + " live leases; each blocks eviction and removal");
    }

    private static String since(Readable row, String column, Head head) {
        Instant since = timeOrNull(row, column);
        return since == null ? "unknown" : ago(since, head.now());
    }

    private static String ago(Instant then, Instant now) {
        return Duration.between(then, now).toMillis() + " ms ago";
    }

    private static Layer ok(String name, String evidence) {
        return layer(name, Verdict.OK, evidence, null);
    }

    private static Layer layer(String name, Verdict verdict, String evidence, @Nullable String nextStep) {
        return new Layer(name, verdict, evidence, nextStep);
    }
}
