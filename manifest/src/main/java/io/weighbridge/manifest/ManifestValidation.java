package io.weighbridge.manifest;

import io.weighbridge.ledger.identity.Validation;
import io.weighbridge.ledger.key.Utf8;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.manifest.StoredWeightManifest.Fragment;
import io.weighbridge.manifest.StoredWeightManifest.PayloadObject;
import io.weighbridge.manifest.StoredWeightManifest.Tensor;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What must hold of a manifest as a whole (spec 1.4): fragments tile every tensor exactly, ranges within an object do
 * not overlap and lie inside it, byte counts follow from dtype and shape, every object is used. An empty tensor and an
 * alias have no fragments. There may be padding before a range, but none after an object's last.
 */
public final class ManifestValidation {

    /** The most objects, tensors and fragments, each. */
    public static final int ELEMENTS_MAX = 1_000_000;

    /** The most attributes. */
    public static final int ATTRIBUTES_MAX = 256;

    /** The longest value of an attribute, in UTF-8 bytes; its name is a text component of at most 1024. */
    public static final int ATTRIBUTE_BYTES_MAX = 8192;

    private static final int PROBLEMS_MAX = 100;
    private static final Comparator<Fragment> BY_RANGE =
            Comparator.comparingLong(Fragment::objectOffset).thenComparingLong(Fragment::bytes);

    private final StoredWeightManifest manifest;
    private final List<ManifestProblem> problems = new ArrayList<>();
    private final Map<String, PayloadObject> objects = new HashMap<>();
    private final Map<String, Tensor> tensors = new HashMap<>();
    private final Map<String, Extent.Sized> extents = new HashMap<>();
    private final Map<String, List<Fragment>> byTensor = new LinkedHashMap<>();
    private final Map<String, List<Fragment>> byObject = new LinkedHashMap<>();
    private final Set<String> doubtful = new HashSet<>();

    private ManifestValidation(StoredWeightManifest manifest) {
        this.manifest = manifest;
    }

    /** The manifest itself; throws {@link ManifestException} with everything that is wrong with it. */
    public static StoredWeightManifest requireValid(StoredWeightManifest manifest) {
        List<ManifestProblem> problems = problemsOf(manifest);
        if (!problems.isEmpty()) {
            throw new ManifestException(problems);
        }
        return manifest;
    }

    /** Everything that is wrong, in the manifest's order, the first hundred of it; empty when it is valid. */
    public static List<ManifestProblem> problemsOf(StoredWeightManifest manifest) {
        ManifestValidation validation = new ManifestValidation(manifest);
        validation.check();
        List<ManifestProblem> found = validation.problems;
        if (found.size() <= PROBLEMS_MAX) {
            return List.copyOf(found);
        }
        List<ManifestProblem> shown = new ArrayList<>(found.subList(0, PROBLEMS_MAX));
        shown.add(new ManifestProblem("", "and " + (found.size() - PROBLEMS_MAX) + " more problems"));
        return List.copyOf(shown);
    }

    private void check() {
        checkText("manifest_key", () -> Validation.objectKey("manifest_key", manifest.manifestKey()));
        // Years of four digits, as the canonical form has them.
        int year = manifest.createdAt().atOffset(ZoneOffset.UTC).getYear();
        refuseIf(year < 0 || year > 9999, "created_at", "must lie in the years 0000 to 9999");
        refuseIf(manifest.objects().isEmpty(), "objects", "must not be empty");
        atMost("objects", manifest.objects().size(), ELEMENTS_MAX);
        atMost("tensors", manifest.tensors().size(), ELEMENTS_MAX);
        atMost("fragments", manifest.fragments().size(), ELEMENTS_MAX);
        atMost("attributes", manifest.attributes().size(), ATTRIBUTES_MAX);
        manifest.attributes().forEach(this::attribute);
        manifest.objects().forEach(this::object);
        checkTotal();
        manifest.tensors().forEach(this::tensor);
        manifest.tensors().forEach(this::alias);
        manifest.fragments().forEach(this::fragment);
        manifest.objects().forEach(this::ranges);
        manifest.tensors().forEach(this::tiling);
    }

    private void attribute(String name, String value) {
        String where = "attributes." + name;
        checkText(where, () -> Validation.text(where, name));
        refuseIf(!isWellFormed(value), where, "is not well-formed Unicode");
        int bytes = Utf8.bytes(value).length;
        refuseIf(bytes > ATTRIBUTE_BYTES_MAX, where, "has " + bytes + " bytes, at most " + ATTRIBUTE_BYTES_MAX);
    }

    private void object(PayloadObject object) {
        String where = "objects[" + object.key() + "]";
        checkText(where + ".key", () -> Validation.objectKey("key", object.key()));
        checkText(where + ".sha256_tree", () -> Validation.sha256("sha256_tree", object.sha256Tree()));
        refuseIf(object.size() < 1 || object.size() > Validation.COUNTER_MAX, where + ".size", notWithin(1));
        refuseIf(object.key().equals(manifest.manifestKey()), where + ".key", "is the manifest's own key");
        refuseIf(objects.putIfAbsent(object.key(), object) != null, where + ".key", "is there twice");
    }

    private void checkTotal() {
        long total = 0;
        for (PayloadObject object : manifest.objects()) {
            // A million sizes within bounds cannot overflow a sum that is cut off here.
            total = Math.min(total + Math.max(0, Math.min(object.size(), Validation.COUNTER_MAX)), Long.MAX_VALUE / 2);
        }
        refuseIf(total > Validation.COUNTER_MAX, "objects", "have more than " + Validation.COUNTER_MAX + " bytes");
    }

    private void tensor(Tensor tensor) {
        String where = named(tensor);
        checkText(where + ".name", () -> Validation.text("name", tensor.name()));
        if (tensors.putIfAbsent(tensor.name(), tensor) != null) {
            refuse(where + ".name", "is there twice");
            return;
        }
        switch (Extent.of(tensor.dtype(), tensor.shape())) {
            case Extent.Sized sized -> extents.put(tensor.name(), sized);
            case Extent.Impossible(String message) -> refuse(where + ".shape", message);
        }
        Long layer = tensor.layer();
        refuseIf(layer != null && isNotSize(layer), where + ".layer", notWithin(0));
        Long expert = tensor.expert();
        refuseIf(expert != null && isNotSize(expert), where + ".expert", notWithin(0));
        if (tensor.shardDims() != null) {
            shardDims(where + ".shard_dims", tensor.shardDims(), tensor.shape().size());
        }
    }

    private void shardDims(String where, List<Long> dimensions, int rank) {
        long last = -1;
        for (long dimension : dimensions) {
            refuseIf(dimension < 0 || dimension >= rank, where, dimension + " is not a dimension of the shape");
            refuseIf(dimension <= last, where, "must ascend");
            last = dimension;
        }
    }

    private void alias(Tensor tensor) {
        if (tensor.aliasOf() == null) {
            return;
        }
        String where = named(tensor) + ".alias_of";
        Tensor target = tensors.get(tensor.aliasOf());
        if (target == null) {
            refuse(where, "there is no tensor '" + tensor.aliasOf() + "'");
        } else if (target.aliasOf() != null) {
            refuse(where, "'" + target.name() + "' is an alias itself");
        } else if (target.dtype() != tensor.dtype() || !target.shape().equals(tensor.shape())) {
            refuse(where, "'" + target.name() + "' has another dtype or shape");
        }
    }

    private void fragment(Fragment fragment) {
        String where = named(fragment);
        Tensor tensor = tensors.get(fragment.tensor());
        PayloadObject object = objects.get(fragment.object());
        int before = problems.size();
        if (tensor == null) {
            refuse(where + ".tensor", "there is no tensor '" + fragment.tensor() + "'");
        } else {
            refuseIf(tensor.aliasOf() != null, where + ".tensor", "is an alias and has no fragments");
            box(where, fragment, tensor);
        }
        if (object == null) {
            refuse(where + ".object", "there is no object '" + fragment.object() + "'");
        } else {
            byObject.computeIfAbsent(object.key(), key -> new ArrayList<>()).add(fragment);
            boolean impossible = isNotSize(fragment.objectOffset()) || isNotSize(fragment.bytes());
            refuseIf(
                    impossible || fragment.objectOffset() + fragment.bytes() > object.size(),
                    where + ".object_offset",
                    "the range of " + fragment.bytes() + " bytes at " + fragment.objectOffset() + " is not inside '"
                            + object.key() + "' of " + object.size() + " bytes");
        }
        if (problems.size() > before) {
            doubtful.add(fragment.tensor());
        } else {
            byTensor.computeIfAbsent(fragment.tensor(), name -> new ArrayList<>())
                    .add(fragment);
        }
    }

    private void box(String where, Fragment fragment, Tensor tensor) {
        int rank = tensor.shape().size();
        if (fragment.offset().size() != rank || fragment.shape().size() != rank) {
            refuse(where, "has not the " + rank + " dimensions of its tensor");
            return;
        }
        for (int i = 0; i < rank; i++) {
            long offset = fragment.offset().get(i);
            long size = fragment.shape().get(i);
            if (isNotSize(offset)
                    || isNotSize(size)
                    || size == 0
                    || offset + size > tensor.shape().get(i)) {
                refuse(where, "is empty or leaves its tensor in dimension " + i);
                return;
            }
        }
        switch (Extent.of(tensor.dtype(), fragment.shape())) {
            case Extent.Sized(long elements, long bytes) ->
                refuseIf(
                        bytes != fragment.bytes(),
                        where + ".bytes",
                        "is " + fragment.bytes() + ", " + elements + " elements of " + tensor.dtype() + " are "
                                + bytes);
            case Extent.Impossible(String message) -> refuse(where + ".shape", message);
        }
    }

    private void ranges(PayloadObject object) {
        List<Fragment> ranges = byObject.getOrDefault(object.key(), List.of());
        if (ranges.isEmpty()) {
            refuse("objects[" + object.key() + "]", "is not used by any fragment");
            return;
        }
        ranges.sort(BY_RANGE);
        for (int i = 1; i < ranges.size(); i++) {
            Fragment last = ranges.get(i - 1);
            Fragment next = ranges.get(i);
            if (!isNotSize(last.bytes()) && last.objectOffset() + last.bytes() > next.objectOffset()) {
                refuse(named(next) + ".object_offset", "overlaps " + named(last) + " in '" + object.key() + "'");
            }
        }
        Fragment last = ranges.getLast();
        refuseIf(
                last.objectOffset() + last.bytes() < object.size(),
                "objects[" + object.key() + "].size",
                "is " + object.size() + ", but its last range ends at " + (last.objectOffset() + last.bytes()));
    }

    private void tiling(Tensor tensor) {
        Extent.Sized extent = extents.get(tensor.name());
        if (extent == null || tensor.aliasOf() != null || doubtful.contains(tensor.name())) {
            return;
        }
        List<Fragment> boxes = byTensor.getOrDefault(tensor.name(), List.of());
        FragmentTiling.problem(tensor, extent.elements(), boxes).ifPresent(message -> refuse(named(tensor), message));
    }

    private static String named(Tensor tensor) {
        return "tensors[" + tensor.name() + "]";
    }

    private static String named(Fragment fragment) {
        return "fragments[" + fragment.tensor() + " at " + fragment.offset() + "]";
    }

    private static String notWithin(long least) {
        return "must be " + least + " to " + Validation.COUNTER_MAX;
    }

    private static boolean isNotSize(long value) {
        return value < 0 || value > Validation.COUNTER_MAX;
    }

    private static boolean isWellFormed(String text) {
        return StandardCharsets.UTF_8.newEncoder().canEncode(text);
    }

    private void checkText(String where, Runnable check) {
        try {
            check.run();
        } catch (ProblemException e) {
            e.problem().errors().forEach(error -> refuse(where, error.message()));
        }
    }

    private void atMost(String where, int found, int most) {
        refuseIf(found > most, where, "has " + found + " entries, at most " + most + " are allowed");
    }

    private void refuseIf(boolean wrong, String where, String message) {
        if (wrong) {
            refuse(where, message);
        }
    }

    private void refuse(String where, String message) {
        problems.add(new ManifestProblem(where, message));
    }
}
