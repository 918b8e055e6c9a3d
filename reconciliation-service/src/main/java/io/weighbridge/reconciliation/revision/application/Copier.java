package io.weighbridge.reconciliation.revision.application;

import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.reconciliation.revision.calls.Agents;
import io.weighbridge.reconciliation.revision.calls.LeaseCalls;
import io.weighbridge.reconciliation.revision.calls.MetadataCalls;
import io.weighbridge.reconciliation.revision.domain.Action.CopyMember;
import io.weighbridge.wire.Keys;
import io.weighbridge.wire.ObjectResults;
import io.weighbridge.wire.PlanReplicas;
import io.weighbridge.wire.PutStarted;
import io.weighbridge.wire.ReplicaView;
import io.weighbridge.wire.StartTransfers;
import io.weighbridge.wire.Transfer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Makes copies: metadata-service reserves their space, lease-service gives leave to read the sources, and the agents
 * that get them pull. What has come of it is seen in the ledger, at the next look.
 */
final class Copier {

    private static final Logger LOG = LoggerFactory.getLogger(Copier.class);

    /** A read lease lasts seconds: each batch gets leases of its own. */
    private static final int BATCH = 64;

    private static final int AGENTS_AT_A_TIME = 8;

    private final MetadataCalls metadata;
    private final LeaseCalls leases;
    private final Agents agents;
    private final Setbacks setbacks;

    Copier(MetadataCalls metadata, LeaseCalls leases, Agents agents, Setbacks setbacks) {
        this.metadata = metadata;
        this.leases = leases;
        this.agents = agents;
        this.setbacks = setbacks;
    }

    private record Granted(CopyMember copy, String digest, StartTransfers.Target target) {}

    Mono<Void> copy(Sight sight, UUID operationId, long claimEpoch, List<CopyMember> copies) {
        return Flux.fromIterable(copies)
                .buffer(BATCH)
                .concatMap(batch -> metadata.plan(new PlanReplicas(
                                sight.revision().hex(),
                                operationId,
                                claimEpoch,
                                batch.stream()
                                        .map(copy -> new PlanReplicas.Item(copy.key(), copy.tier(), copy.nodeId()))
                                        .toList()))
                        .flatMap(answer -> start(sight, granted(sight, batch, answer))))
                .then();
    }

    private List<Granted> granted(Sight sight, List<CopyMember> asked, PutStarted answer) {
        Map<String, String> digests = new HashMap<>();
        sight.situation().members().forEach(member -> {
            if (member.digest() != null) {
                digests.put(member.key(), member.digest());
            }
        });
        List<Granted> granted = new ArrayList<>();
        for (int i = 0; i < asked.size(); i++) {
            CopyMember copy = asked.get(i);
            PutStarted.Item item = answer.items().get(i);
            String token = item.writeToken();
            String digest = digests.get(copy.key());
            if (token == null || digest == null || item.targets().isEmpty()) {
                LOG.info("no copy of a member to node {}: {} {}", copy.nodeId(), item.code(), item.detail());
                setbacks.add(sight.revision(), copy.nodeId());
            } else {
                UUID replicaId = item.targets().getFirst().replicaId();
                granted.add(new Granted(copy, digest, new StartTransfers.Target(replicaId, token)));
            }
        }
        return granted;
    }

    private Mono<Void> start(Sight sight, List<Granted> granted) {
        Map<UUID, List<Granted>> byNode = granted.stream()
                .collect(
                        Collectors.groupingBy(grant -> grant.copy().nodeId(), LinkedHashMap::new, Collectors.toList()));
        return Flux.fromIterable(byNode.entrySet())
                .flatMap(entry -> startAt(sight, entry.getKey(), entry.getValue()), AGENTS_AT_A_TIME)
                .then();
    }

    /** A target that cannot be reached is left alone for a while; its reserved copies are found abandoned later. */
    private Mono<Void> startAt(Sight sight, UUID nodeId, List<Granted> granted) {
        List<String> keys =
                granted.stream().map(grant -> grant.copy().key()).distinct().toList();
        return leases.locate(sight.tenantId(), new Keys(keys, null, null))
                .map(located -> new StartTransfers(items(granted, located)))
                .filter(transfers -> !transfers.items().isEmpty())
                .flatMap(transfers ->
                        agents.start(nodeId, Objects.requireNonNull(sight.urls().get(nodeId)), transfers))
                .doOnNext(started -> started.transfers().stream()
                        .filter(transfer -> transfer.state() == Transfer.State.FAILED)
                        .forEach(transfer -> setbacks.add(sight.revision(), nodeId)))
                .then()
                .onErrorResume(ProblemException.class, problem -> {
                    LOG.info("node {} does not start copies: {}", nodeId, problem.getMessage());
                    setbacks.add(sight.revision(), nodeId);
                    return Mono.empty();
                });
    }

    private static List<StartTransfers.Item> items(List<Granted> granted, ObjectResults located) {
        Map<String, List<ReplicaView>> readable = located.items().stream()
                .collect(Collectors.toMap(ObjectResults.Item::key, ObjectResults.Item::replicas, (a, b) -> a));
        List<StartTransfers.Item> items = new ArrayList<>();
        for (Granted grant : granted) {
            List<StartTransfers.Source> sources =
                    sources(grant.copy(), readable.getOrDefault(grant.copy().key(), List.of()));
            if (!sources.isEmpty()) {
                items.add(new StartTransfers.Item(grant.copy().key(), grant.digest(), sources, grant.target()));
            }
        }
        return items;
    }

    /** In the plan's order, as far as they are still readable. */
    private static List<StartTransfers.Source> sources(CopyMember copy, List<ReplicaView> readable) {
        List<StartTransfers.Source> sources = new ArrayList<>();
        for (UUID planned : copy.sources()) {
            for (ReplicaView replica : readable) {
                String url = replica.url();
                String lease = replica.readLease();
                if (replica.replicaId().equals(planned) && url != null && lease != null) {
                    sources.add(new StartTransfers.Source(
                            url, replica.nodeId(), replica.replicaId(), replica.tier(), lease));
                }
            }
        }
        return sources;
    }
}
