package io.weighbridge.agent.registration.calls;

import io.weighbridge.agent.registration.Ledger;
import io.weighbridge.ledger.http.calls.CallLimits;
import io.weighbridge.ledger.http.calls.Calls;
import io.weighbridge.wire.ExtentPage;
import io.weighbridge.wire.Heartbeat;
import io.weighbridge.wire.HeartbeatAnswer;
import io.weighbridge.wire.Keys;
import io.weighbridge.wire.ObjectResults;
import io.weighbridge.wire.ReadLeaseKeys;
import io.weighbridge.wire.RegisterNode;
import io.weighbridge.wire.RegisteredNode;
import io.weighbridge.wire.ReportResults;
import io.weighbridge.wire.Reports;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The ledger through its services' HTTP interfaces, with the agent's own credential. */
public final class HttpLedger implements Ledger {

    private static final int PAGE_SIZE = 1000;

    private final MetadataCalls metadata;
    private final LeaseCalls leases;

    /** Base URLs of metadata-service and lease-service; both may be the gateway. */
    public HttpLedger(Calls calls, String metadataUrl, String leaseUrl) {
        // Repeating is this agent's own business: registration, heartbeats and reports have their own pauses.
        CallLimits limits = CallLimits.standard().once();
        this.metadata = calls.client("metadata-service", metadataUrl, MetadataCalls.class, limits);
        this.leases = calls.client("lease-service", leaseUrl, LeaseCalls.class, limits);
    }

    @Override
    public Mono<ReadLeaseKeys> keys(UUID nodeId) {
        return leases.keys(nodeId);
    }

    @Override
    public Mono<RegisteredNode> register(RegisterNode node) {
        return metadata.register(node);
    }

    @Override
    public Mono<ExtentPage> extents(UUID nodeId, UUID segmentId, @Nullable String pageToken) {
        return metadata.extents(nodeId, segmentId, PAGE_SIZE, pageToken);
    }

    @Override
    public Mono<Void> mount(UUID nodeId, UUID segmentId, UUID agentIncarnation) {
        return metadata.mount(nodeId, segmentId, agentIncarnation);
    }

    @Override
    public Mono<HeartbeatAnswer> heartbeat(UUID nodeId, Heartbeat heartbeat) {
        return metadata.heartbeat(nodeId, heartbeat);
    }

    @Override
    public Mono<ReportResults> report(UUID nodeId, Reports reports) {
        return metadata.report(nodeId, reports);
    }

    @Override
    public Mono<ObjectResults> locate(String tenantId, String key) {
        return leases.locate(tenantId, new Keys(List.of(key), null, null));
    }
}
