package io.weighbridge.agent.registration;

import io.weighbridge.wire.ExtentPage;
import io.weighbridge.wire.Heartbeat;
import io.weighbridge.wire.HeartbeatAnswer;
import io.weighbridge.wire.ObjectResults;
import io.weighbridge.wire.ReadLeaseKeys;
import io.weighbridge.wire.RegisterNode;
import io.weighbridge.wire.RegisteredNode;
import io.weighbridge.wire.ReportResults;
import io.weighbridge.wire.Reports;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * What an agent asks of the ledger's services (spec 5.2). Refusals arrive as
 * {@link io.weighbridge.ledger.problem.ProblemException}; a service that cannot be reached as UNAVAILABLE or any other
 * error.
 */
public interface Ledger {

    /** This node's keys; the first call makes the first key. */
    Mono<ReadLeaseKeys> keys(UUID nodeId);

    Mono<RegisteredNode> register(RegisterNode node);

    Mono<ExtentPage> extents(UUID nodeId, UUID segmentId, @Nullable String pageToken);

    /** Refused with STALE_INCARNATION when a newer start of this agent has registered. */
    Mono<Void> mount(UUID nodeId, UUID segmentId, UUID agentIncarnation);

    Mono<HeartbeatAnswer> heartbeat(UUID nodeId, Heartbeat heartbeat);

    Mono<ReportResults> report(UUID nodeId, Reports reports);

    /** Readable copies of an object of a tenant, with fresh read leases. */
    Mono<ObjectResults> locate(String tenantId, String key);
}
