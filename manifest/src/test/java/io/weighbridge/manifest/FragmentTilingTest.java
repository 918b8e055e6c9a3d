package io.weighbridge.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.manifest.StoredWeightManifest.Fragment;
import io.weighbridge.manifest.StoredWeightManifest.Tensor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

/** Against a model that counts every single element. */
class FragmentTilingTest {

    private final RandomGenerator random =
            RandomGeneratorFactory.of("L64X128MixRandom").create(20260131);

    @Test
    void randomTilingsAndTheirDamagedTwinsAreJudgedAsByCounting() {
        int exact = 0;
        for (int run = 0; run < 4000; run++) {
            List<Long> shape = randomShape();
            List<Fragment> boxes = new ArrayList<>();
            cut(Collections.nCopies(shape.size(), 0L), shape, boxes);
            damage(shape, boxes);
            Collections.shuffle(boxes, new Random(run));
            boolean expected = isExactByCounting(shape, boxes);
            exact += expected ? 1 : 0;
            assertThat(problem(shape, boxes).isEmpty())
                    .as("%s of %s: %s", boxes, shape, problem(shape, boxes))
                    .isEqualTo(expected);
        }
        assertThat(exact).as("both kinds were tried").isBetween(500, 3500);
    }

    /** Five boxes around each other: no straight cut separates them. */
    @Test
    void aPinwheelIsATiling() {
        List<Fragment> pinwheel = new ArrayList<>(List.of(
                box(List.of(0L, 0L), List.of(1L, 2L)),
                box(List.of(0L, 2L), List.of(2L, 1L)),
                box(List.of(2L, 1L), List.of(1L, 2L)),
                box(List.of(1L, 0L), List.of(2L, 1L)),
                box(List.of(1L, 1L), List.of(1L, 1L))));
        assertThat(problem(List.of(3L, 3L), pinwheel)).isEmpty();

        pinwheel.removeLast();
        assertThat(problem(List.of(3L, 3L), pinwheel)).contains("its fragments cover 8 of 9 elements");
        pinwheel.add(box(List.of(0L, 1L), List.of(1L, 1L)));
        assertThat(problem(List.of(3L, 3L), pinwheel))
                .hasValueSatisfying(message -> assertThat(message).endsWith("overlap"));
    }

    @Test
    void aHundredThousandRowsColumnsAndCellsAreQuick() {
        long n = 100_000;
        List<Fragment> rows = new ArrayList<>();
        List<Fragment> columns = new ArrayList<>();
        List<Fragment> cells = new ArrayList<>();
        for (long i = 0; i < n; i++) {
            rows.add(box(List.of(i, 0L), List.of(1L, n)));
            columns.add(box(List.of(0L, i), List.of(n, 1L)));
            cells.add(box(List.of(i / 316, i % 316), List.of(1L, 1L)));
        }
        assertThat(problem(List.of(n, n), rows)).isEmpty();
        assertThat(problem(List.of(n, n), columns)).isEmpty();
        assertThat(problem(List.of(317L, 316L), cells)).contains("its fragments cover 100000 of 100172 elements");
        rows.set(500, box(List.of(499L, 0L), List.of(1L, n)));
        assertThat(problem(List.of(n, n), rows)).contains("its fragments at [499, 0] and [499, 0] overlap");
    }

    /** Every box overlaps nothing but can be told from no other by a cut: a hostile staircase of crossing spans. */
    @Test
    void aKnotOfManyBoxesIsGivenUpSoon() {
        long n = 60_000;
        List<Fragment> knot = new ArrayList<>();
        for (long i = 0; i < n; i++) {
            knot.add(box(List.of(i, i), List.of(n, n)));
        }
        assertThat(problem(List.of(2 * n, 2 * n), knot))
                .contains("its fragments are cut too irregularly to be checked");
    }

    private static Optional<String> problem(List<Long> shape, List<Fragment> boxes) {
        long elements = shape.stream().reduce(1L, Math::multiplyExact);
        return FragmentTiling.problem(Tensor.of("w", Dtype.U8, shape), elements, boxes);
    }

    private List<Long> randomShape() {
        int rank = random.nextInt(4);
        return random.longs(rank, 1, 7).boxed().toList();
    }

    private void cut(List<Long> offset, List<Long> shape, List<Fragment> boxes) {
        int dimension = shape.isEmpty() ? -1 : random.nextInt(shape.size());
        if (dimension < 0 || shape.get(dimension) < 2 || random.nextInt(4) == 0) {
            boxes.add(box(offset, shape));
            return;
        }
        long at = random.nextLong(1, shape.get(dimension));
        cut(offset, with(shape, dimension, at), boxes);
        cut(
                with(offset, dimension, offset.get(dimension) + at),
                with(shape, dimension, shape.get(dimension) - at),
                boxes);
    }

    private void damage(List<Long> tensor, List<Fragment> boxes) {
        int victim = random.nextInt(boxes.size());
        Fragment box = boxes.get(victim);
        switch (random.nextInt(4)) {
            case 0 -> boxes.remove(victim);
            case 1 -> boxes.add(box);
            case 2 -> {
                if (!tensor.isEmpty()) {
                    int d = random.nextInt(tensor.size());
                    long from = random.nextLong(tensor.get(d));
                    long size = random.nextLong(1, tensor.get(d) - from + 1);
                    boxes.set(victim, box(with(box.offset(), d, from), with(box.shape(), d, size)));
                }
            }
            default -> {}
        }
    }

    private static boolean isExactByCounting(List<Long> shape, List<Fragment> boxes) {
        int elements = (int) shape.stream().mapToLong(Long::longValue).reduce(1, (a, b) -> a * b);
        for (int index = 0; index < elements; index++) {
            long[] at = new long[shape.size()];
            long rest = index;
            for (int d = shape.size() - 1; d >= 0; d--) {
                at[d] = rest % shape.get(d);
                rest /= shape.get(d);
            }
            long holders = boxes.stream().filter(box -> holds(box, at)).count();
            if (holders != 1) {
                return false;
            }
        }
        return true;
    }

    private static boolean holds(Fragment box, long[] at) {
        for (int d = 0; d < at.length; d++) {
            long from = box.offset().get(d);
            if (at[d] < from || at[d] >= from + box.shape().get(d)) {
                return false;
            }
        }
        return true;
    }

    private static List<Long> with(List<Long> list, int index, long value) {
        List<Long> copy = new ArrayList<>(list);
        copy.set(index, value);
        return copy;
    }

    private static Fragment box(List<Long> offset, List<Long> shape) {
        return new Fragment("w", offset, shape, "o", 0, 1);
    }
}
