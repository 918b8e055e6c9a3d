package io.weighbridge.client.weights;

import io.weighbridge.client.rest.AgentClient;
import io.weighbridge.client.rest.GatewayClient;
import io.weighbridge.ledger.identity.RevisionIdentity;
import io.weighbridge.ledger.key.TreeDigest;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.ledger.token.ReadLease;
import io.weighbridge.manifest.ManifestReader;
import io.weighbridge.manifest.StoredWeightManifest;
import io.weighbridge.manifest.StoredWeightManifest.Fragment;
import io.weighbridge.manifest.StoredWeightManifest.PayloadObject;
import io.weighbridge.manifest.StoredWeightManifest.Tensor;
import io.weighbridge.wire.ManifestSources;
import io.weighbridge.wire.ReplicaView;
import io.weighbridge.wire.RevisionView;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * Reads a revision under a lease: the manifest first, verified before anything is planned from it, then the objects in
 * parallel, each one's digest compared with the manifest's. Bytes that arrived after their read lease had ended are
 * dropped and read again (spec 2.3).
 */
public final class RevisionReader {

    /** What is asked for at a time: far less than a read lease's life takes. */
    private static final int RANGE_BYTES = 16 << 20;

    private static final Duration MARGIN = Duration.ofMillis(500);
    private static final int ATTEMPTS = 5;

    private final GatewayClient gateway;
    private final AgentClient agents;
    private final int parallel;
    private final @Nullable UUID onlyNode;
    private final Progress progress;

    /** @param onlyNode read copies on this node only, or null for any */
    public RevisionReader(GatewayClient gateway, int parallel, @Nullable UUID onlyNode, Progress progress) {
        this.gateway = gateway;
        this.agents = new AgentClient(gateway.rest());
        this.parallel = parallel;
        this.onlyNode = onlyNode;
        this.progress = progress;
    }

    /**
     * Reads and verifies the manifest.
     *
     * @throws io.weighbridge.manifest.ManifestException when it is not the manifest of this revision
     */
    public StoredWeightManifest manifest(RevisionView revision) {
        RevisionIdentity identity = new RevisionIdentity(
                revision.tenantId(),
                revision.namespace(),
                revision.resourceId(),
                revision.revision(),
                revision.weightGeneration());
        ManifestSources sources = Patience.with(() -> gateway.manifest(revision.revisionId()));
        ProblemException last = new ProblemException(ProblemCode.NOT_READY, "the manifest has no readable copy");
        for (ManifestSources.Source source : sources.sources()) {
            try (InputStream in = agents.readAll(source.url(), sources.manifestKey(), source.readLease())) {
                return ManifestReader.readVerified(in.readAllBytes(), sources.manifestSha256(), identity);
            } catch (ProblemException refused) {
                last = refused;
            } catch (IOException broken) {
                last = new ProblemException(ProblemCode.UNAVAILABLE, source.url() + " broke off: " + broken);
            }
        }
        throw last;
    }

    /**
     * Reads every object and hands its tensor bytes to the sink.
     *
     * @param lease the lease under which this happens; checked with each object
     * @throws ProblemException CHECKSUM_MISMATCH when an object is not what the manifest says; the sink's bytes must
     *     not be used then
     */
    public void read(StoredWeightManifest manifest, HeldLease lease, TensorSink sink) throws IOException {
        Map<String, Tensor> tensors = new HashMap<>();
        manifest.tensors().forEach(tensor -> tensors.put(tensor.name(), tensor));
        Map<String, List<Fragment>> fragments = new HashMap<>();
        for (Fragment fragment : manifest.fragments()) {
            fragments
                    .computeIfAbsent(fragment.object(), key -> new ArrayList<>())
                    .add(fragment);
        }
        progress.stage("read", manifest.logicalBytes());
        List<Callable<Boolean>> tasks = new ArrayList<>();
        for (PayloadObject object : manifest.objects()) {
            List<Fragment> parts = Objects.requireNonNull(fragments.get(object.key()));
            parts.sort(Comparator.comparingLong(Fragment::objectOffset));
            tasks.add(() -> {
                readObject(object, new FragmentScatter(parts, tensors, sink));
                lease.requireHeld();
                return true;
            });
        }
        try (ExecutorService workers = Executors.newFixedThreadPool(parallel)) {
            Workers.all(workers, tasks);
        }
        progress.finished();
    }

    private void readObject(PayloadObject object, FragmentScatter scatter) throws IOException {
        TreeDigest digest = new TreeDigest();
        byte[] range = new byte[(int) Math.min(RANGE_BYTES, object.size())];
        Sources sources = new Sources(object.key());
        for (long offset = 0; offset < object.size(); ) {
            int length = (int) Math.min(range.length, object.size() - offset);
            readRange(sources, object.key(), offset, range, length);
            digest.update(ByteBuffer.wrap(range, 0, length));
            scatter.accept(offset, range, length);
            progress.advance(length);
            offset += length;
        }
        String seen = digest.finish();
        if (!seen.equals(object.sha256Tree())) {
            throw new ProblemException(
                    ProblemCode.CHECKSUM_MISMATCH,
                    object.key() + " has the digest " + seen + ", the manifest says " + object.sha256Tree());
        }
    }

    private void readRange(Sources sources, String key, long offset, byte[] into, int length) {
        ProblemException last = null;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            ReplicaView source = sources.next(attempt);
            String token = Objects.requireNonNull(source.readLease());
            String url = Objects.requireNonNull(source.url());
            try (InputStream in = agents.read(url, key, token, offset, length)) {
                if (in.readNBytes(into, 0, length) == length && sources.stillValid()) {
                    return;
                }
                last = new ProblemException(
                        ProblemCode.LEASE_EXPIRED, key + ": the bytes came too late or not all of them came");
            } catch (ProblemException refused) {
                last = refused;
            } catch (IOException broken) {
                last = new ProblemException(ProblemCode.UNAVAILABLE, url + " broke off: " + broken);
            }
            sources.refresh();
        }
        throw Objects.requireNonNull(last);
    }

    /** The readable copies of one object under their current read leases. */
    private final class Sources {

        private final String key;
        private List<ReplicaView> replicas = List.of();
        private long validUntilNanos;

        Sources(String key) {
            this.key = key;
        }

        ReplicaView next(int attempt) {
            if (replicas.isEmpty() || !stillValid()) {
                locate();
            }
            return replicas.get(attempt % replicas.size());
        }

        boolean stillValid() {
            return System.nanoTime() - validUntilNanos < 0;
        }

        void refresh() {
            replicas = List.of();
        }

        /** The deadline counts from before the request was sent. */
        private void locate() {
            long asked = System.nanoTime();
            var item = Patience.with(() -> gateway.locate(List.of(key))).items().getFirst();
            replicas = item.replicas().stream()
                    .filter(replica -> replica.readLease() != null && replica.url() != null)
                    .filter(replica -> onlyNode == null || onlyNode.equals(replica.nodeId()))
                    .sorted(Comparator.comparing(ReplicaView::tier))
                    .toList();
            if (replicas.isEmpty()) {
                throw new ProblemException(
                        item.code() == null ? ProblemCode.NOT_READY : item.code(),
                        key + " has no readable copy" + (onlyNode == null ? "" : " on node " + onlyNode));
            }
            Duration ttl = replicas.stream()
                    .map(replica -> ReadLease.unverified(Objects.requireNonNull(replica.readLease()))
                            .ttl())
                    .min(Comparator.naturalOrder())
                    .orElseThrow();
            validUntilNanos = asked + ttl.minus(MARGIN).toNanos();
        }
    }
}
