package io.weighbridge.metadata.node.http;

import io.weighbridge.ledger.http.paging.Page;
import io.weighbridge.ledger.http.paging.PageQuery;
import io.weighbridge.ledger.http.paging.PageRequest;
import io.weighbridge.ledger.http.problem.ProblemStatus;
import io.weighbridge.ledger.http.security.Caller;
import io.weighbridge.ledger.http.security.Scope;
import io.weighbridge.ledger.identity.Validation;
import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.metadata.node.application.HeartbeatHandler;
import io.weighbridge.metadata.node.application.NodeHandler;
import io.weighbridge.metadata.node.domain.Extent;
import io.weighbridge.metadata.object.application.PutAnswer;
import io.weighbridge.metadata.object.application.PutHandler;
import io.weighbridge.metadata.object.application.PutRequest;
import io.weighbridge.metadata.object.http.Batch;
import io.weighbridge.wire.ExtentPage;
import io.weighbridge.wire.Heartbeat;
import io.weighbridge.wire.HeartbeatAnswer;
import io.weighbridge.wire.ReportResults;
import io.weighbridge.wire.Reports;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** What agents say again and again: heartbeats, reports on copies, and the question what should be there. */
@RestController
@RequestMapping("/v1/nodes/{nodeId}")
public class AgentController {

    private static final long CRC32C_MAX = 0xFFFF_FFFFL;
    private static final UUID FIRST = new UUID(0, 0);

    /** Refusals of the agent itself, or worth a repetition of the reports. */
    private static final Set<ProblemCode> WHOLE = EnumSet.of(
            ProblemCode.NOT_FOUND,
            ProblemCode.PERMISSION_DENIED,
            ProblemCode.STALE_INCARNATION,
            ProblemCode.BUSY,
            ProblemCode.UNAVAILABLE,
            ProblemCode.DURABILITY_FAILED,
            ProblemCode.INTERNAL);

    private final NodeHandler nodes;
    private final HeartbeatHandler heartbeats;
    private final PutHandler puts;

    public AgentController(NodeHandler nodes, HeartbeatHandler heartbeats, PutHandler puts) {
        this.nodes = nodes;
        this.heartbeats = heartbeats;
        this.puts = puts;
    }

    /** A sign of life; the answer says what to free and which tokens to close. */
    @PostMapping("/heartbeat")
    Mono<HeartbeatAnswer> heartbeatNode(@PathVariable UUID nodeId, @RequestBody Heartbeat body, Caller caller) {
        caller.require(Scope.NODES_AGENT);
        Map<UUID, Long> failures = new HashMap<>();
        for (Heartbeat.Segment segment : body.segments()) {
            failures.merge(
                    segment.segmentId(), Validation.size("segments.io_failures", segment.ioFailures()), Long::sum);
        }
        return heartbeats
                .beat(new HeartbeatHandler.Beat(nodeId, body.agentIncarnation(), caller.subject(), failures))
                .map(taken -> new HeartbeatAnswer(taken.now(), taken.reclaim(), taken.close(), taken.keysVersion()));
    }

    /** What happened to copies; repeated by the agent until it is answered. */
    @PostMapping("/reports")
    Mono<ReportResults> reportReplicas(@PathVariable UUID nodeId, @RequestBody Reports body, Caller caller) {
        caller.require(Scope.NODES_AGENT);
        List<Reports.Item> items = Batch.checked("items", body.items());
        return Batch.run(puts, items, item -> request(nodeId, body.agentIncarnation(), caller.subject(), item))
                .map(answers -> {
                    List<ReportResults.Item> results = new ArrayList<>(items.size());
                    for (int i = 0; i < items.size(); i++) {
                        results.add(result(items.get(i).replicaId(), answers.get(i)));
                    }
                    return new ReportResults(results);
                });
    }

    /** The copies that the ledger expects on a segment, those that await reclaiming among them. */
    @GetMapping("/segments/{segmentId}/extents")
    Mono<ExtentPage> listExtents(
            @PathVariable UUID nodeId, @PathVariable UUID segmentId, PageRequest page, Caller caller) {
        caller.require(Scope.NODES_AGENT);
        PageQuery query = PageQuery.of("extents", nodeId, segmentId);
        UUID after =
                page.after(query).map(key -> UUID.fromString(key.getFirst())).orElse(FIRST);
        return nodes.extents(nodeId, segmentId, caller.subject(), after, page.pageSize() + 1)
                .map(rows -> {
                    Page<Extent> found = query.page(
                            rows,
                            page.pageSize(),
                            row -> List.of(row.replicaId().toString()));
                    return new ExtentPage(
                            found.rows().stream().map(AgentController::extent).toList(), found.nextPageToken());
                });
    }

    private static ExtentPage.Extent extent(Extent row) {
        return new ExtentPage.Extent(row.replicaId(), row.objectId(), row.key(), row.size(), row.state(), row.crc32c());
    }

    private static PutRequest request(UUID nodeId, UUID incarnation, String subject, Reports.Item item) {
        PutRequest.What what = switch (item.event()) {
            case OPENED -> new PutRequest.What.Opened();
            case STORED -> stored(item);
            case CLOSED -> new PutRequest.What.Closed();
            case CORRUPT -> new PutRequest.What.Corrupt();
            case FREED -> new PutRequest.What.Freed();
        };
        return new PutRequest.Report(nodeId, incarnation, subject, item.replicaId(), item.writeToken(), what);
    }

    private static PutRequest.What stored(Reports.Item item) {
        Long size = item.size();
        List<Long> crc32c = item.crc32c();
        if (size == null || crc32c == null) {
            throw new ProblemException(
                    Problem.invalid(size == null ? "size" : "crc32c", "is missing in a STORED report"));
        }
        if (crc32c.stream().anyMatch(crc -> crc < 0 || crc > CRC32C_MAX)) {
            throw new ProblemException(Problem.invalid("crc32c", "must be unsigned 32-bit values"));
        }
        String digest = Validation.sha256("digest", item.digest());
        return new PutRequest.What.AllStored(Validation.size("size", size), digest, crc32c);
    }

    /** What concerns the agent itself, and what may be tried again, is the whole request's refusal. */
    private static ReportResults.Item result(UUID replicaId, PutAnswer answer) {
        return switch (answer) {
            case PutAnswer.Done done -> new ReportResults.Item(replicaId, 200, null);
            case PutAnswer.Started started -> throw new IllegalStateException("a report is answered without a token");
            case PutAnswer.Refused(Problem problem) -> {
                if (WHOLE.contains(problem.code())) {
                    throw new ProblemException(problem);
                }
                yield new ReportResults.Item(replicaId, ProblemStatus.of(problem.code()), problem.code());
            }
        };
    }
}
