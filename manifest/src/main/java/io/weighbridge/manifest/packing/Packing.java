package io.weighbridge.manifest.packing;

import io.weighbridge.ledger.identity.RevisionIdentity;
import io.weighbridge.ledger.identity.Validation;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.manifest.Extent;
import io.weighbridge.manifest.ManifestException;
import io.weighbridge.manifest.ManifestProblem;
import io.weighbridge.manifest.ManifestValidation;
import io.weighbridge.manifest.SourceTensor;
import io.weighbridge.manifest.StoredWeightManifest.Fragment;
import io.weighbridge.manifest.StoredWeightManifest.Tensor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides which tensor bytes go into which payload object. A tensor larger than the target is split into objects of its
 * own; smaller ones share an object, in the order given, until the next does not fit. The same tensors in the same
 * order with the same settings give the same plan.
 *
 * @param targetBytes no object is larger, but for one whose rows cannot be split into whole bytes
 * @param alignment of each tensor in an object, a power of two in bytes; what it skips is zero
 */
public record Packing(long targetBytes, int alignment) {

    /** The smallest target. */
    public static final long TARGET_MIN = 1 << 10;

    /** Objects of 256 MiB, tensors at multiples of 256 bytes. */
    public static final Packing DEFAULT = new Packing(256L << 20, 256);

    /** @throws IllegalArgumentException when the target is less than 1 KiB or the alignment is not 1 to 4096 */
    public Packing {
        if (targetBytes < TARGET_MIN || targetBytes > 1L << 40) {
            throw new IllegalArgumentException("target must be 1 KiB to 1 TiB, is " + targetBytes);
        }
        if (alignment < 1 || alignment > 4096 || Integer.bitCount(alignment) != 1) {
            throw new IllegalArgumentException("alignment must be a power of two up to 4096, is " + alignment);
        }
    }

    public Packing withTarget(long bytes) {
        return new Packing(bytes, alignment);
    }

    /**
     * The plan for a revision.
     *
     * @throws ManifestException when a tensor is there twice or impossible, a key would be too long, or there is not
     *     one byte to store
     */
    public PackingPlan plan(RevisionIdentity identity, List<SourceTensor> tensors) {
        return new Run(identity).plan(tensors);
    }

    /** The key of a revision's nth payload object, from 0. */
    public static String payloadKey(RevisionIdentity identity, int number) {
        String manifestKey = identity.manifestKey();
        String prefix = manifestKey.substring(0, manifestKey.length() - "manifest".length());
        String digits = Integer.toString(number);
        return prefix + "payload/" + "0".repeat(Math.max(0, 5 - digits.length())) + digits;
    }

    private static final class OpenObject {
        private final String key;
        private final List<Segment> segments = new ArrayList<>();
        private long size;

        OpenObject(String key) {
            this.key = key;
        }
    }

    private final class Run {
        private final RevisionIdentity identity;
        private final List<OpenObject> objects = new ArrayList<>();
        private final List<Tensor> descriptors = new ArrayList<>();
        private final List<Fragment> fragments = new ArrayList<>();
        private final List<ManifestProblem> problems = new ArrayList<>();
        private final Set<String> names = new HashSet<>();
        private @Nullable OpenObject shared;

        Run(RevisionIdentity identity) {
            this.identity = identity;
        }

        PackingPlan plan(List<SourceTensor> tensors) {
            requirePlannable(tensors);
            for (SourceTensor tensor : tensors) {
                descriptors.add(new Tensor(
                        tensor.name(),
                        tensor.dtype(),
                        tensor.shape(),
                        TensorNames.layer(tensor.name()),
                        TensorNames.expert(tensor.name()),
                        null,
                        null));
                place(tensor, bytes(tensor));
            }
            List<ObjectPlan> plans = objects.stream()
                    .map(object -> new ObjectPlan(object.key, object.size, object.segments))
                    .toList();
            return new PackingPlan(identity, plans, descriptors, fragments);
        }

        private void requirePlannable(List<SourceTensor> tensors) {
            long total = 0;
            for (SourceTensor tensor : tensors) {
                long bytes = bytes(tensor);
                // Cut off, so that no sum overflows: the check below refuses it in any case.
                total = Math.min(total + bytes, Validation.COUNTER_MAX);
                if (!names.add(tensor.name())) {
                    refuse(tensor, "is there twice");
                }
            }
            if (!problems.isEmpty()) {
                throw new ManifestException(problems);
            }
            if (total == 0) {
                throw new ManifestException("tensors", "have not one byte to store");
            }
            if (total / targetBytes > ManifestValidation.ELEMENTS_MAX / 4) {
                throw new ManifestException(
                        "target", "of " + targetBytes + " bytes is too small for " + total + " bytes of tensors");
            }
        }

        private long bytes(SourceTensor tensor) {
            return switch (Extent.of(tensor.dtype(), tensor.shape())) {
                case Extent.Sized sized -> sized.bytes();
                case Extent.Impossible(String message) -> {
                    refuse(tensor, message);
                    yield 0;
                }
            };
        }

        private void place(SourceTensor tensor, long bytes) {
            if (bytes > targetBytes && !tensor.shape().isEmpty()) {
                for (BoxSplit.Box box : BoxSplit.split(tensor.dtype(), tensor.shape(), targetBytes)) {
                    place(tensor, box, open());
                }
            } else if (bytes > 0) {
                List<Long> origin = Collections.nCopies(tensor.shape().size(), 0L);
                place(tensor, new BoxSplit.Box(origin, tensor.shape(), 0, bytes), sharedWithRoomFor(bytes));
            }
        }

        private void place(SourceTensor tensor, BoxSplit.Box box, OpenObject object) {
            long at = aligned(object.size);
            object.segments.add(new Segment(tensor.file(), tensor.offset() + box.start(), box.bytes(), at));
            object.size = at + box.bytes();
            fragments.add(new Fragment(tensor.name(), box.offset(), box.shape(), object.key, at, box.bytes()));
        }

        private OpenObject sharedWithRoomFor(long bytes) {
            OpenObject object = shared;
            if (object == null || aligned(object.size) + bytes > targetBytes) {
                object = open();
                shared = object;
            }
            return object;
        }

        private OpenObject open() {
            String key = payloadKey(identity, objects.size());
            try {
                Validation.objectKey("key", key);
            } catch (ProblemException e) {
                throw new ManifestException(
                        "objects[" + key + "]", e.problem().errors().getFirst().message());
            }
            OpenObject object = new OpenObject(key);
            objects.add(object);
            return object;
        }

        private long aligned(long size) {
            return (size + alignment - 1) & -alignment;
        }

        private void refuse(SourceTensor tensor, String message) {
            problems.add(new ManifestProblem("tensors[" + tensor.name() + "]", message));
        }
    }
}
