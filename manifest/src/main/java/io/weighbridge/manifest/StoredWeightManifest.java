package io.weighbridge.manifest;

import io.weighbridge.ledger.identity.RevisionIdentity;
import io.weighbridge.ledger.key.CanonicalKeys;
import io.weighbridge.ledger.key.Utf8;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which tensors a revision has and in which ranges of which objects their elements lie (spec 1.4), version 1. The group
 * id and the manifest key follow from the identity and are not stored twice here. Lists are kept in canonical order
 * (objects by key, tensors by name, fragments by tensor and offset; texts by unsigned UTF-8 bytes), so that equal
 * content has equal bytes. The records hold whatever they are given: {@link ManifestValidation} says what is wrong with
 * it.
 *
 * @param createdAt truncated to milliseconds
 * @param attributes free texts, at most {@link ManifestValidation#ATTRIBUTES_MAX}
 */
public record StoredWeightManifest(
        RevisionIdentity identity,
        Instant createdAt,
        List<PayloadObject> objects,
        List<Tensor> tensors,
        List<Fragment> fragments,
        Map<String, String> attributes) {

    /** The version that is read and written. */
    public static final int VERSION = 1;

    /**
     * A member object that holds tensor bytes.
     *
     * @param size in bytes, at least 1
     * @param sha256Tree the digest of {@link io.weighbridge.ledger.key.TreeDigest}
     */
    public record PayloadObject(String key, long size, String sha256Tree) {}

    /**
     * A tensor.
     *
     * @param shape in elements; empty for a scalar
     * @param layer the number of its layer, where it has one
     * @param expert the number of its expert, where it has one
     * @param shardDims the dimensions along which it may be split over ranks, where that is known
     * @param aliasOf the tensor whose elements these are (tied weights); an alias has no fragments of its own
     */
    public record Tensor(
            String name,
            Dtype dtype,
            List<Long> shape,
            @Nullable Long layer,
            @Nullable Long expert,
            @Nullable List<Long> shardDims,
            @Nullable String aliasOf) {
        public Tensor {
            shape = List.copyOf(shape);
            shardDims = shardDims == null ? null : List.copyOf(shardDims);
        }

        public static Tensor of(String name, Dtype dtype, List<Long> shape) {
            return new Tensor(name, dtype, shape, null, null, null, null);
        }
    }

    /**
     * A box of a tensor, row-major, in a range of an object. Ranges need not be adjacent: what lies between is padding.
     *
     * @param offset the box's first element, one index a dimension
     * @param shape the box's size in elements, at least 1 in each dimension
     * @param objectOffset in bytes
     * @param bytes the length of the range, which must follow from dtype and shape
     */
    public record Fragment(
            String tensor, List<Long> offset, List<Long> shape, String object, long objectOffset, long bytes) {
        public Fragment {
            offset = List.copyOf(offset);
            shape = List.copyOf(shape);
        }
    }

    private static final Comparator<PayloadObject> OBJECTS = Comparator.comparing(PayloadObject::key, Utf8.ORDER);
    private static final Comparator<Tensor> TENSORS = Comparator.comparing(Tensor::name, Utf8.ORDER);
    private static final Comparator<Fragment> FRAGMENTS = Comparator.comparing(Fragment::tensor, Utf8.ORDER)
            .thenComparing(Fragment::offset, StoredWeightManifest::compareOffsets)
            .thenComparing(Fragment::object, Utf8.ORDER)
            .thenComparingLong(Fragment::objectOffset);

    public StoredWeightManifest {
        createdAt = createdAt.truncatedTo(ChronoUnit.MILLIS);
        objects = sorted(objects, OBJECTS);
        tensors = sorted(tensors, TENSORS);
        fragments = sorted(fragments, FRAGMENTS);
        TreeMap<String, String> ordered = new TreeMap<>(Utf8.ORDER);
        ordered.putAll(attributes);
        attributes = Collections.unmodifiableMap(ordered);
    }

    /** The group of all member objects, derived from the identity. */
    public String payloadGroupId() {
        return identity.payloadGroupId();
    }

    /** The key under which this manifest is stored, derived from the identity. */
    public String manifestKey() {
        return identity.manifestKey();
    }

    /** The manifest reference's {@code payload_count}. */
    public int payloadCount() {
        return objects.size();
    }

    /** The manifest reference's {@code logical_bytes}: the objects' sizes with padding, without this manifest's. */
    public long logicalBytes() {
        return objects.stream().mapToLong(PayloadObject::size).reduce(0, Math::addExact);
    }

    /** The manifest reference's {@code payload_keys_sha256}. */
    public String payloadKeysSha256() {
        return CanonicalKeys.payloadKeysSha256(
                objects.stream().map(PayloadObject::key).toList());
    }

    private static <T> List<T> sorted(List<T> values, Comparator<T> order) {
        List<T> copy = new ArrayList<>(values);
        copy.sort(order);
        return List.copyOf(copy);
    }

    private static int compareOffsets(List<Long> a, List<Long> b) {
        for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
            int order = Long.compare(a.get(i), b.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(a.size(), b.size());
    }
}
