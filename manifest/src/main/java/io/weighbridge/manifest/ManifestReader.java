package io.weighbridge.manifest;

import io.weighbridge.ledger.identity.RevisionIdentity;
import io.weighbridge.ledger.key.Sha256;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.manifest.StoredWeightManifest.Fragment;
import io.weighbridge.manifest.StoredWeightManifest.PayloadObject;
import io.weighbridge.manifest.StoredWeightManifest.Tensor;
import io.weighbridge.manifest.json.StrictJsonReader;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads a stored manifest and believes nothing: unknown, missing and duplicate fields are refused by their JSON path,
 * whatever {@link ManifestValidation} finds by its name, and finally bytes that are not the canonical form, so that one
 * manifest has one SHA-256.
 */
public final class ManifestReader {

    /** A larger manifest is refused before it is parsed. */
    public static final int BYTES_MAX = 128 << 20;

    private static final int TEXT_CHARS_MAX = ManifestValidation.ATTRIBUTE_BYTES_MAX;

    private final StrictJsonReader json;

    private ManifestReader(StrictJsonReader json) {
        this.json = json;
    }

    /**
     * A valid manifest from its canonical bytes.
     *
     * @throws ManifestException with the offending names
     */
    public static StoredWeightManifest read(byte[] bytes) {
        if (bytes.length > BYTES_MAX) {
            throw new ManifestException("", "has " + bytes.length + " bytes, at most " + BYTES_MAX + " are allowed");
        }
        StoredWeightManifest manifest;
        try (StrictJsonReader json = StrictJsonReader.over("", bytes, TEXT_CHARS_MAX)) {
            manifest = new ManifestReader(json).manifest();
        }
        ManifestValidation.requireValid(manifest);
        requireCanonical(bytes, ManifestWriter.encode(manifest));
        return manifest;
    }

    /**
     * What a reader does before it plans ranges (spec 1.1): the digest is the reference's, the manifest is valid, and
     * it is this revision's.
     *
     * @param sha256 the manifest reference's {@code manifest_sha256}
     * @throws ManifestException named {@code manifest_sha256} or {@code identity}, or as {@link #read}
     */
    public static StoredWeightManifest readVerified(byte[] bytes, String sha256, RevisionIdentity identity) {
        String actual = Sha256.hex(bytes);
        if (!actual.equals(sha256)) {
            throw new ManifestException("manifest_sha256", "is " + actual + ", the reference says " + sha256);
        }
        StoredWeightManifest manifest = read(bytes);
        if (!manifest.identity().equals(identity)) {
            throw new ManifestException("identity", "is " + manifest.identity() + ", expected " + identity);
        }
        return manifest;
    }

    private static void requireCanonical(byte[] found, byte[] canonical) {
        int at = Arrays.mismatch(found, canonical);
        if (at >= 0) {
            throw new ManifestException(
                    "byte " + at,
                    "is not canonical JSON: found '" + excerpt(found, at) + "', expected '" + excerpt(canonical, at)
                            + "'");
        }
    }

    private static String excerpt(byte[] bytes, int at) {
        int end = Math.min(bytes.length, at + 24);
        return at >= end ? "" : new String(bytes, at, end - at, StandardCharsets.UTF_8);
    }

    private StoredWeightManifest manifest() {
        Body body = new Body();
        json.object(
                List.of(
                        "attributes",
                        "created_at",
                        "fragments",
                        "identity",
                        "manifest_key",
                        "objects",
                        "payload_group_id",
                        "tensors",
                        "version"),
                body::field);
        json.end();
        return body.done();
    }

    private List<Long> numbers() {
        return json.array(Extent.RANK_MAX, json::integer);
    }

    private final class Body {
        private String createdAt = "";
        private Instant created = Instant.EPOCH;
        private @Nullable RevisionIdentity identity;
        private String groupId = "";
        private String key = "";
        private List<PayloadObject> objects = List.of();
        private List<Tensor> tensors = List.of();
        private List<Fragment> fragments = List.of();
        private final Map<String, String> attributes = new TreeMap<>();

        void field(String name) {
            switch (name) {
                case "attributes" -> json.object(List.of(), attribute -> attributes.put(attribute, json.text()));
                case "created_at" -> created();
                case "fragments" ->
                    fragments = json.array(ManifestValidation.ELEMENTS_MAX, () -> new FragmentBody().read());
                case "identity" -> identity = new IdentityBody().read();
                case "manifest_key" -> key = json.text();
                case "objects" -> objects = json.array(ManifestValidation.ELEMENTS_MAX, () -> new ObjectBody().read());
                case "payload_group_id" -> groupId = json.text();
                case "tensors" -> tensors = json.array(ManifestValidation.ELEMENTS_MAX, () -> new TensorBody().read());
                case "version" -> version();
                default -> throw json.unknownField();
            }
        }

        private void version() {
            long version = json.integer();
            if (version != StoredWeightManifest.VERSION) {
                throw json.refuse("must be " + StoredWeightManifest.VERSION + ", is " + version);
            }
        }

        private void created() {
            createdAt = json.text();
            try {
                created = Instant.parse(createdAt);
            } catch (DateTimeException e) {
                throw json.refuse("must be a time such as 2026-01-31T23:59:59.000Z, is '" + createdAt + "'");
            }
            if (!ManifestWriter.timestamp(created).equals(createdAt)) {
                throw json.refuse("must be in UTC with exactly three decimals, is '" + createdAt + "'");
            }
        }

        StoredWeightManifest done() {
            if (identity == null) {
                throw new ManifestException("identity", "is missing");
            }
            StoredWeightManifest manifest =
                    new StoredWeightManifest(identity, created, objects, tensors, fragments, attributes);
            requireDerived("payload_group_id", groupId, manifest.payloadGroupId());
            requireDerived("manifest_key", key, manifest.manifestKey());
            return manifest;
        }

        private static void requireDerived(String name, String found, String derived) {
            if (!found.equals(derived)) {
                throw new ManifestException(name, "is '" + found + "', from the identity follows '" + derived + "'");
            }
        }
    }

    private final class IdentityBody {
        private String tenant = "";
        private String namespace = "";
        private String resource = "";
        private String revision = "";
        private long generation;

        RevisionIdentity read() {
            json.object(List.of("namespace", "resource_id", "revision", "tenant_id", "weight_generation"), this::field);
            try {
                return new RevisionIdentity(tenant, namespace, resource, revision, generation);
            } catch (ProblemException e) {
                throw new ManifestException(e.problem().errors().stream()
                        .map(error -> new ManifestProblem("identity." + error.field(), error.message()))
                        .toList());
            }
        }

        private void field(String name) {
            switch (name) {
                case "namespace" -> namespace = json.text();
                case "resource_id" -> resource = json.text();
                case "revision" -> revision = json.text();
                case "tenant_id" -> tenant = json.text();
                case "weight_generation" -> generation = json.integer();
                default -> throw json.unknownField();
            }
        }
    }

    private final class ObjectBody {
        private String key = "";
        private long size;
        private String digest = "";

        PayloadObject read() {
            json.object(List.of("key", "sha256_tree", "size"), this::field);
            return new PayloadObject(key, size, digest);
        }

        private void field(String name) {
            switch (name) {
                case "key" -> key = json.text();
                case "sha256_tree" -> digest = json.text();
                case "size" -> size = json.integer();
                default -> throw json.unknownField();
            }
        }
    }

    private final class TensorBody {
        private String name = "";
        private Dtype dtype = Dtype.BOOL;
        private List<Long> shape = List.of();
        private @Nullable Long layer;
        private @Nullable Long expert;
        private @Nullable List<Long> shardDims;
        private @Nullable String aliasOf;

        Tensor read() {
            json.object(List.of("dtype", "name", "shape"), this::field);
            return new Tensor(name, dtype, shape, layer, expert, shardDims, aliasOf);
        }

        private void field(String field) {
            switch (field) {
                case "alias_of" -> aliasOf = json.text();
                case "dtype" -> dtype = dtype();
                case "expert" -> expert = json.integer();
                case "layer" -> layer = json.integer();
                case "name" -> name = json.text();
                case "shape" -> shape = numbers();
                case "shard_dims" -> shardDims = numbers();
                default -> throw json.unknownField();
            }
        }

        private Dtype dtype() {
            String name = json.text();
            return Dtype.named(name).orElseThrow(() -> json.refuse("'" + name + "' is not a known dtype"));
        }
    }

    private final class FragmentBody {
        private String tensor = "";
        private List<Long> offset = List.of();
        private List<Long> shape = List.of();
        private String object = "";
        private long objectOffset;
        private long bytes;

        Fragment read() {
            json.object(List.of("bytes", "object", "object_offset", "offset", "shape", "tensor"), this::field);
            return new Fragment(tensor, offset, shape, object, objectOffset, bytes);
        }

        private void field(String name) {
            switch (name) {
                case "bytes" -> bytes = json.integer();
                case "object" -> object = json.text();
                case "object_offset" -> objectOffset = json.integer();
                case "offset" -> offset = numbers();
                case "shape" -> shape = numbers();
                case "tensor" -> tensor = json.text();
                default -> throw json.unknownField();
            }
        }
    }
}
