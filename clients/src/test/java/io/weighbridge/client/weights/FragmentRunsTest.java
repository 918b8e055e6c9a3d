package io.weighbridge.client.weights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.weighbridge.manifest.Dtype;
import io.weighbridge.manifest.ManifestException;
import io.weighbridge.manifest.StoredWeightManifest.Fragment;
import io.weighbridge.manifest.StoredWeightManifest.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

/**
 * Goal: each byte of a fragment lands where the tensor's row-major order has it. Method: random boxes in random tensors,
 * against plain counting through the indices.
 */
class FragmentRunsTest {

    @Test
    void everyByteOfRandomBoxes() {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(11);
        for (int i = 0; i < 2000; i++) {
            int rank = random.nextInt(5);
            List<Long> shape = new ArrayList<>();
            List<Long> offset = new ArrayList<>();
            List<Long> box = new ArrayList<>();
            long elements = 1;
            for (int d = 0; d < rank; d++) {
                long extent = random.nextLong(1, 6);
                long start = random.nextLong(extent);
                long length = random.nextLong(1, extent - start + 1);
                shape.add(extent);
                offset.add(start);
                box.add(length);
                elements *= length;
            }
            Dtype dtype = random.nextBoolean() ? Dtype.U8 : Dtype.F32;
            int elementBytes = dtype == Dtype.U8 ? 1 : 4;
            Fragment fragment = new Fragment("t", offset, box, "o", 0, elements * elementBytes);
            requireRowMajor(Tensor.of("t", dtype, shape), fragment, elementBytes);
        }
    }

    private static void requireRowMajor(Tensor tensor, Fragment fragment, int elementBytes) {
        FragmentRuns runs = new FragmentRuns(tensor, fragment);
        for (long at = 0; at < fragment.bytes(); at++) {
            long rest = at / elementBytes;
            long linear = 0;
            long stride = 1;
            for (int d = tensor.shape().size() - 1; d >= 0; d--) {
                long index = fragment.offset().get(d) + rest % fragment.shape().get(d);
                rest /= fragment.shape().get(d);
                linear += index * stride;
                stride *= tensor.shape().get(d);
            }
            assertThat(runs.tensorOffset(at))
                    .as("%s %s byte %d", tensor, fragment, at)
                    .isEqualTo(linear * elementBytes + at % elementBytes);
        }
    }

    @Test
    void aSplitInsideAByteIsRefused() {
        Tensor tensor = Tensor.of("half", Dtype.F4, List.of(4L, 3L));
        Fragment fragment = new Fragment("half", List.of(0L, 1L), List.of(4L, 2L), "o", 0, 4);
        assertThatExceptionOfType(ManifestException.class)
                .isThrownBy(() -> new FragmentRuns(tensor, fragment))
                .withMessageContaining("half");
    }
}
