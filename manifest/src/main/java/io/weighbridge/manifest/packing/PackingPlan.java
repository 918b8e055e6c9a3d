package io.weighbridge.manifest.packing;

import io.weighbridge.ledger.identity.RevisionIdentity;
import io.weighbridge.manifest.ManifestException;
import io.weighbridge.manifest.ManifestProblem;
import io.weighbridge.manifest.ManifestValidation;
import io.weighbridge.manifest.StoredWeightManifest;
import io.weighbridge.manifest.StoredWeightManifest.Fragment;
import io.weighbridge.manifest.StoredWeightManifest.PayloadObject;
import io.weighbridge.manifest.StoredWeightManifest.Tensor;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Everything that an import has to do, known before it begins: its objects in the order of their keys' numbers, and the
 * manifest but for the digests of the objects.
 */
public record PackingPlan(
        RevisionIdentity identity, List<ObjectPlan> objects, List<Tensor> tensors, List<Fragment> fragments) {

    public PackingPlan {
        objects = List.copyOf(objects);
        tensors = List.copyOf(tensors);
        fragments = List.copyOf(fragments);
    }

    /** The import's {@code expected_payload_count}. */
    public int payloadCount() {
        return objects.size();
    }

    /** The import's {@code expected_logical_bytes}: the objects' sizes, padding included. */
    public long logicalBytes() {
        return objects.stream().mapToLong(ObjectPlan::size).sum();
    }

    /**
     * The manifest, once every object's digest is known.
     *
     * @param sha256TreeByKey one tree digest for each object's key
     * @throws ManifestException when a digest is missing or the manifest would not be valid
     */
    public StoredWeightManifest manifest(
            Instant createdAt, Map<String, String> sha256TreeByKey, Map<String, String> attributes) {
        List<PayloadObject> members = new ArrayList<>();
        List<ManifestProblem> missing = new ArrayList<>();
        for (ObjectPlan object : objects) {
            String digest = sha256TreeByKey.get(object.key());
            if (digest == null) {
                missing.add(new ManifestProblem("objects[" + object.key() + "].sha256_tree", "is missing"));
            } else {
                members.add(new PayloadObject(object.key(), object.size(), digest));
            }
        }
        if (!missing.isEmpty()) {
            throw new ManifestException(missing);
        }
        return ManifestValidation.requireValid(
                new StoredWeightManifest(identity, createdAt, members, tensors, fragments, attributes));
    }
}
