package io.weighbridge.manifest.packing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weighbridge.ledger.identity.RevisionIdentity;
import io.weighbridge.manifest.Dtype;
import io.weighbridge.manifest.Extent;
import io.weighbridge.manifest.ManifestException;
import io.weighbridge.manifest.ManifestProblem;
import io.weighbridge.manifest.ManifestReader;
import io.weighbridge.manifest.ManifestWriter;
import io.weighbridge.manifest.SourceTensor;
import io.weighbridge.manifest.StoredWeightManifest;
import io.weighbridge.manifest.StoredWeightManifest.Fragment;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Plans are carried out on real bytes, and the tensors put together again from the manifest alone. */
class PackingTest {

    private static final RevisionIdentity IDENTITY = new RevisionIdentity("default", "a b", "m/x", "r", 3);
    private static final Path FILE = Path.of("f");

    private final RandomGenerator random =
            RandomGeneratorFactory.of("L64X128MixRandom").create(42);

    @Test
    void keysAreCanonicalAndNumbered() {
        assertThat(Packing.payloadKey(IDENTITY, 0)).isEqualTo("weights/a%20b/m%2Fx/r/3/payload/00000");
        assertThat(Packing.payloadKey(IDENTITY, 12345)).isEqualTo("weights/a%20b/m%2Fx/r/3/payload/12345");
        assertThat(Packing.payloadKey(IDENTITY, 123456)).isEqualTo("weights/a%20b/m%2Fx/r/3/payload/123456");
    }

    @Test
    void smallTensorsShareAnObjectUntilTheNextDoesNotFit() {
        PackingPlan plan = new Packing(1024, 256)
                .plan(IDENTITY, List.of(u8("a", 100), u8("b", 256), u8("c", 513), u8("d", 13), u8("e", 1024)));

        assertThat(plan.objects()).extracting(ObjectPlan::size).containsExactly(512L, 781L, 1024L);
        assertThat(plan.objects().getFirst().segments())
                .containsExactly(new Segment(FILE, 0, 100, 0), new Segment(FILE, 0, 256, 256));
        assertThat(plan.payloadCount()).isEqualTo(3);
        assertThat(plan.logicalBytes()).isEqualTo(512 + 781 + 1024);
    }

    @Test
    void aLargeTensorIsSplitEvenlyOnRowsIntoObjectsOfItsOwn() {
        SourceTensor large = new SourceTensor("w", Dtype.BF16, List.of(10L, 100L), FILE, 1000);
        PackingPlan plan = new Packing(1024, 256).plan(IDENTITY, List.of(u8("s", 1), large, u8("t", 1)));

        // 200 bytes a row, five rows at most in an object.
        assertThat(plan.fragments().stream().filter(f -> f.tensor().equals("w")))
                .containsExactly(
                        new Fragment("w", List.of(0L, 0L), List.of(5L, 100L), Packing.payloadKey(IDENTITY, 1), 0, 1000),
                        new Fragment(
                                "w", List.of(5L, 0L), List.of(5L, 100L), Packing.payloadKey(IDENTITY, 2), 0, 1000));
        assertThat(plan.objects().get(2).segments()).containsExactly(new Segment(FILE, 2000, 1000, 0));
        assertThat(plan.objects().getFirst().segments()).hasSize(2);
    }

    @Test
    void aRowThatIsTooLargeIsSplitAlongTheNextDimension() {
        SourceTensor wide = new SourceTensor("w", Dtype.F32, List.of(2L, 3L, 200L), FILE, 0);
        PackingPlan plan = new Packing(1024, 1).plan(IDENTITY, List.of(wide));

        assertThat(plan.fragments())
                .extracting(Fragment::offset)
                .containsExactly(
                        List.of(0L, 0L, 0L),
                        List.of(0L, 1L, 0L),
                        List.of(0L, 2L, 0L),
                        List.of(1L, 0L, 0L),
                        List.of(1L, 1L, 0L),
                        List.of(1L, 2L, 0L));
        assertThat(plan.fragments()).extracting(Fragment::shape).containsOnly(List.of(1L, 1L, 200L));
        assertThat(plan.objects())
                .extracting(object -> object.segments().getFirst().fileOffset())
                .containsExactly(0L, 800L, 1600L, 2400L, 3200L, 4000L);
    }

    @Test
    void rowsOfHalfBytesAreKeptTogetherToWholeBytes() {
        SourceTensor odd = new SourceTensor("w", Dtype.F4, List.of(6L, 2049L), FILE, 0);
        PackingPlan plan = new Packing(1024, 1).plan(IDENTITY, List.of(odd));

        assertThat(plan.fragments()).extracting(Fragment::shape).containsOnly(List.of(2L, 2049L));
        assertThat(plan.objects()).extracting(ObjectPlan::size).containsOnly(2049L);
        assertThat(restored(plan, List.of(odd))).isTrue();
    }

    @Test
    void namesTellLayerAndExpert() {
        PackingPlan plan = Packing.DEFAULT.plan(
                IDENTITY,
                List.of(
                        u8("model.layers.17.block_sparse_moe.experts.3.w1.weight", 1),
                        u8("lm_head.weight", 1),
                        u8("h.5", 1)));

        assertThat(plan.tensors())
                .extracting(StoredWeightManifest.Tensor::layer)
                .containsExactly(17L, null, 5L);
        assertThat(plan.tensors())
                .extracting(StoredWeightManifest.Tensor::expert)
                .containsExactly(3L, null, null);
    }

    @Test
    void whatCannotBePackedIsNamed() {
        assertRefused(List.of(), "tensors", "have not one byte to store");
        assertRefused(
                List.of(new SourceTensor("e", Dtype.U8, List.of(0L), FILE, 0)),
                "tensors",
                "have not one byte to store");
        assertRefused(List.of(u8("a", 1), u8("a", 1)), "tensors[a]", "is there twice");
        assertRefused(
                List.of(u8("a", 1), new SourceTensor("b", Dtype.U8, List.of(1L << 60), FILE, 0)),
                "tensors[b]",
                "dimension " + (1L << 60) + " is not within 0 to 9007199254740991");
        assertRefused(
                List.of(u8("a", 1L << 50)),
                "target",
                "of 1024 bytes is too small for 1125899906842624 bytes of tensors");
        RevisionIdentity longest = new RevisionIdentity("t", "n".repeat(1000), "m", "r", 1);
        assertThat(longest.manifestKey().length()).isLessThanOrEqualTo(1024);
        assertThatThrownBy(() -> Packing.DEFAULT.plan(longest, List.of(u8("a", 1))))
                .isInstanceOf(ManifestException.class)
                .hasMessageContaining("must have 1 to 1024 UTF-8 bytes");
    }

    @Test
    void settingsHaveBounds() {
        assertThatThrownBy(() -> new Packing(1023, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Packing(1024, 3)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Packing(1024, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Packing(1024, 8192)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aMissingDigestIsNamed() {
        PackingPlan plan = Packing.DEFAULT.plan(IDENTITY, List.of(u8("a", 1)));
        assertThatThrownBy(() -> plan.manifest(Instant.EPOCH, Map.of(), Map.of()))
                .isInstanceOf(ManifestException.class)
                .hasMessage("objects[weights/a%20b/m%2Fx/r/3/payload/00000].sha256_tree: is missing");
    }

    @Test
    void randomCheckpointsComeBackByteForByte() {
        int splitRows = 0;
        for (int run = 0; run < 150; run++) {
            List<SourceTensor> tensors = randomTensors();
            Packing packing = new Packing(1024 + random.nextInt(3000), 1 << random.nextInt(10));
            PackingPlan plan = packing.plan(IDENTITY, tensors);
            assertThat(packing.plan(IDENTITY, tensors)).as("the same again").isEqualTo(plan);
            boolean rowSplit = plan.fragments().stream()
                    .anyMatch(box -> box.offset().size() > 1 && box.offset().getLast() > 0);
            splitRows += rowSplit ? 1 : 0;
            assertThat(restored(plan, tensors))
                    .as("run %d, %s of %s", run, packing, tensors)
                    .isTrue();
        }
        assertThat(splitRows).as("rows were split too").isGreaterThan(10);
    }

    /** Makes the objects as the plan says and every tensor from them as the manifest says; each bit exactly once. */
    private boolean restored(PackingPlan plan, List<SourceTensor> tensors) {
        Map<Path, byte[]> files = new HashMap<>();
        for (SourceTensor tensor : tensors) {
            files.merge(
                    tensor.file(),
                    new byte[(int) (tensor.offset() + bytes(tensor))],
                    (a, b) -> a.length > b.length ? a : b);
        }
        files.values().forEach(random::nextBytes);
        Map<String, byte[]> objects = new HashMap<>();
        for (ObjectPlan object : plan.objects()) {
            byte[] bytes = new byte[(int) object.size()];
            long end = 0;
            for (Segment segment : object.segments()) {
                assertThat(segment.objectOffset()).isGreaterThanOrEqualTo(end);
                end = segment.objectOffset() + segment.length();
                System.arraycopy(
                        files.get(segment.file()),
                        (int) segment.fileOffset(),
                        bytes,
                        (int) segment.objectOffset(),
                        (int) segment.length());
            }
            assertThat(end).isEqualTo(object.size());
            objects.put(object.key(), bytes);
        }
        Map<String, String> digests =
                objects.keySet().stream().collect(Collectors.toMap(key -> key, key -> "a".repeat(64)));
        StoredWeightManifest manifest = plan.manifest(Instant.EPOCH, digests, Map.of());
        assertThat(ManifestReader.read(ManifestWriter.write(manifest))).isEqualTo(manifest);
        assertThat(manifest.logicalBytes()).isEqualTo(plan.logicalBytes());
        for (SourceTensor tensor : tensors) {
            byte[] source = Arrays.copyOfRange(
                    files.get(tensor.file()), (int) tensor.offset(), (int) (tensor.offset() + bytes(tensor)));
            if (!Arrays.equals(source, assembled(tensor, manifest, objects))) {
                return false;
            }
        }
        return true;
    }

    private static byte[] assembled(SourceTensor tensor, StoredWeightManifest manifest, Map<String, byte[]> objects) {
        int bits = tensor.dtype().bits();
        byte[] target = new byte[(int) bytes(tensor)];
        int[] writes = new int[target.length * 8 / bits];
        for (Fragment fragment : manifest.fragments()) {
            if (!fragment.tensor().equals(tensor.name())) {
                continue;
            }
            int count = fragment.shape().stream().mapToInt(Long::intValue).reduce(1, (a, b) -> a * b);
            for (int n = 0; n < count; n++) {
                int element = element(tensor.shape(), fragment, n);
                writes[element]++;
                copyBits(
                        objects.getOrDefault(fragment.object(), new byte[0]),
                        (int) fragment.objectOffset() * 8 + n * bits,
                        target,
                        element * bits,
                        bits);
            }
        }
        assertThat(Arrays.stream(writes).allMatch(times -> times == 1))
                .as("each element of %s once", tensor)
                .isTrue();
        return target;
    }

    /** The row-major number in the tensor of the nth element of the box. */
    private static int element(List<Long> shape, Fragment box, int n) {
        int element = 0;
        int stride = 1;
        int rest = n;
        for (int d = shape.size() - 1; d >= 0; d--) {
            int size = box.shape().get(d).intValue();
            element += stride * (box.offset().get(d).intValue() + rest % size);
            rest /= size;
            stride *= shape.get(d).intValue();
        }
        return element;
    }

    private static void copyBits(byte[] from, int fromBit, byte[] to, int toBit, int bits) {
        for (int i = 0; i < bits; i++) {
            int bit = from[(fromBit + i) / 8] >> (fromBit + i) % 8 & 1;
            to[(toBit + i) / 8] |= (byte) (bit << (toBit + i) % 8);
        }
    }

    private List<SourceTensor> randomTensors() {
        Dtype[] dtypes = Dtype.values();
        long[] ends = new long[3];
        List<SourceTensor> tensors = new ArrayList<>(List.of(u8("first", 1)));
        ends[0] = 1;
        for (int i = 0; i < 6; i++) {
            Dtype dtype = dtypes[random.nextInt(dtypes.length)];
            int rank = random.nextInt(5);
            // Last dimensions long enough that a single row can be larger than the target.
            long least = random.nextInt(8) == 0 ? 0 : 1;
            List<Long> shape = new ArrayList<>(
                    random.longs(Math.max(0, rank - 1), least, 5).boxed().toList());
            if (rank > 0) {
                shape.add(random.nextLong(least, 400));
            }
            if (Extent.of(dtype, shape) instanceof Extent.Sized sized) {
                int file = random.nextInt(ends.length);
                Path name = file == 0 ? FILE : Path.of("f" + file);
                tensors.add(new SourceTensor("t" + i, dtype, shape, name, ends[file]));
                ends[file] += sized.bytes();
            }
        }
        return tensors;
    }

    private static void assertRefused(List<SourceTensor> tensors, String name, String message) {
        assertThatThrownBy(() -> new Packing(1024, 256).plan(IDENTITY, tensors))
                .isInstanceOfSatisfying(
                        ManifestException.class,
                        e -> assertThat(e.problems()).containsExactly(new ManifestProblem(name, message)));
    }

    private static long bytes(SourceTensor tensor) {
        return ((Extent.Sized) Extent.of(tensor.dtype(), tensor.shape())).bytes();
    }

    private static SourceTensor u8(String name, long bytes) {
        return new SourceTensor(name, Dtype.U8, List.of(bytes), FILE, 0);
    }
}
