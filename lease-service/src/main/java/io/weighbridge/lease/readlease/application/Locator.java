package io.weighbridge.lease.readlease.application;

import io.weighbridge.lease.nodekey.application.SigningKeys;
import io.weighbridge.lease.readlease.domain.ReadLeaseTtl;
import io.weighbridge.lease.readlease.domain.ReadableCopy;
import io.weighbridge.lease.readlease.domain.ReadableObject;
import io.weighbridge.lease.readlease.postgres.ReadableCopies;
import io.weighbridge.lease.readlease.postgres.ReadableCopies.Manifest;
import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.key.CanonicalKeys;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.ledger.token.NodeKey;
import io.weighbridge.ledger.vocabulary.ReplicaState;
import io.weighbridge.wire.ManifestSources;
import io.weighbridge.wire.ReplicaView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Tells where objects can be read, with a signed permission for each copy. It writes nothing, and what it permits is
 * never newer than the one statement that saw it (spec 2.3).
 */
public final class Locator {

    private final ReadableCopies copies;
    private final SigningKeys keys;
    private final ReadLeaseTtl ttl;
    private final ReadLeaseMetrics metrics;

    public Locator(ReadableCopies copies, SigningKeys keys, ReadLeaseTtl ttl, ReadLeaseMetrics metrics) {
        this.copies = copies;
        this.keys = keys;
        this.ttl = ttl;
        this.metrics = metrics;
    }

    /** What was found of one key. */
    public sealed interface Located {

        /** It can be read; the copies carry read leases if they were asked for. */
        record Found(ReadableObject object, List<ReplicaView> replicas) implements Located {}

        /** NOT_FOUND, or NOT_READY where the object exists without a readable copy. */
        record Missing(ProblemCode code) implements Located {}
    }

    /**
     * Looks these keys up, with read leases.
     *
     * @param ttlMillis how long they shall last; null for the usual time
     * @return by key
     */
    public Mono<Map<String, Located>> lease(String tenantId, Collection<String> keys, @Nullable Long ttlMillis) {
        return Mono.fromSupplier(() -> ttl.of(ttlMillis)).flatMap(life -> locate(tenantId, keys, life));
    }

    /** Looks these keys up without any permission. */
    public Mono<Map<String, Located>> look(String tenantId, Collection<String> keys) {
        return locate(tenantId, keys, null);
    }

    /** Where a revision's manifest can be read. A tenant of null is any. */
    public Mono<ManifestSources> manifest(RevisionId revision, @Nullable String tenantId) {
        return copies.manifest(revision, tenantId)
                .switchIfEmpty(Mono.error(() -> new ProblemException(ProblemCode.NOT_FOUND, "no such revision")))
                .flatMap(this::sources);
    }

    private Mono<ManifestSources> sources(Manifest manifest) {
        String sha256 = manifest.sha256();
        ReadableObject object = manifest.object();
        if (sha256 == null || object == null) {
            String why = sha256 == null ? "has no manifest yet" : "has no readable copy of its manifest";
            return Mono.error(new ProblemException(
                    ProblemCode.NOT_READY, "the revision is " + manifest.availability() + " and " + why));
        }
        return signing(object.copies())
                .map(signing -> new ManifestSources(
                        manifest.key(),
                        sha256,
                        object.size(),
                        views(object, signing, ttl.usual()).stream()
                                .filter(view -> view.url() != null && view.readLease() != null)
                                .map(view -> new ManifestSources.Source(view.url(), view.readLease()))
                                .toList()));
    }

    private Mono<Map<String, Located>> locate(String tenantId, Collection<String> keys, @Nullable Duration life) {
        Map<String, String> idByKey = HashMap.newHashMap(keys.size());
        for (String key : keys) {
            idByKey.computeIfAbsent(key, k -> CanonicalKeys.objectId(tenantId, k));
        }
        return copies.find(tenantId, idByKey.values()).flatMap(found -> {
            Mono<Set<String>> known = found.size() == idByKey.size()
                    ? Mono.just(Set.of())
                    : copies.known(tenantId, missing(idByKey.values(), found.keySet()));
            Mono<Map<UUID, NodeKey>> signing = life == null ? Mono.just(Map.of()) : signing(copiesOf(found.values()));
            return Mono.zip(known, signing, (unreadable, keysOfNodes) -> {
                Map<String, Located> located = HashMap.newHashMap(idByKey.size());
                idByKey.forEach((key, id) ->
                        located.put(key, located(found.get(id), unreadable.contains(id), keysOfNodes, life)));
                return located;
            });
        });
    }

    private Located located(
            @Nullable ReadableObject object, boolean known, Map<UUID, NodeKey> signing, @Nullable Duration life) {
        if (object == null) {
            return new Located.Missing(known ? ProblemCode.NOT_READY : ProblemCode.NOT_FOUND);
        }
        List<ReplicaView> replicas = views(object, signing, life);
        return replicas.isEmpty() ? new Located.Missing(ProblemCode.NOT_READY) : new Located.Found(object, replicas);
    }

    /** Copies on a node without key are left out where leases are asked for: nobody could read them. */
    private List<ReplicaView> views(ReadableObject object, Map<UUID, NodeKey> signing, @Nullable Duration life) {
        List<ReplicaView> views = new ArrayList<>(object.copies().size());
        for (ReadableCopy copy : object.copies()) {
            NodeKey key = signing.get(copy.nodeId());
            if (life == null) {
                views.add(view(copy, null));
            } else if (key != null) {
                views.add(view(copy, copy.sign(key, life)));
            }
        }
        metrics.granted(life == null ? 0 : views.size());
        return views;
    }

    private static ReplicaView view(ReadableCopy copy, @Nullable String readLease) {
        return new ReplicaView(
                copy.replicaId(),
                copy.nodeId(),
                copy.url(),
                copy.segmentId(),
                copy.tier(),
                ReplicaState.COMPLETE,
                true,
                readLease);
    }

    private Mono<Map<UUID, NodeKey>> signing(Collection<ReadableCopy> of) {
        Set<UUID> nodes = new HashSet<>();
        of.forEach(copy -> nodes.add(copy.nodeId()));
        return keys.of(nodes);
    }

    private static List<ReadableCopy> copiesOf(Collection<ReadableObject> objects) {
        List<ReadableCopy> all = new ArrayList<>();
        objects.forEach(object -> all.addAll(object.copies()));
        return all;
    }

    private static Set<String> missing(Collection<String> wanted, Set<String> found) {
        Set<String> missing = new HashSet<>(wanted);
        missing.removeAll(found);
        return missing;
    }
}
