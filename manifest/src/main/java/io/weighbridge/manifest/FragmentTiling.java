package io.weighbridge.manifest;

import io.weighbridge.manifest.StoredWeightManifest.Fragment;
import io.weighbridge.manifest.StoredWeightManifest.Tensor;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Whether boxes, each inside a tensor, tile it exactly: no two overlap and their elements add up. Boxes are separated
 * by straight cuts along one dimension after another, which takes n log n for rows, columns and grids; only what no cut
 * separates is compared pair by pair. The work is bounded, so that a hostile manifest cannot keep a reader busy.
 */
final class FragmentTiling {

    /** Steps that any tensor may take: more than a knot of a thousand boxes needs. */
    private static final long STEPS_BASE = 1_000_000;

    /** Further steps for each box: a million rows take one each. */
    private static final long STEPS_PER_BOX = 256;

    private final int rank;
    private final long stepsMax;
    private final Deque<Group> open = new ArrayDeque<>();
    private long steps;

    /** Boxes between which no cut has been found yet, and how many dimensions in a row had none. */
    private record Group(List<Fragment> boxes, int dimension, int uncut) {}

    private FragmentTiling(int rank, int boxes) {
        this.rank = rank;
        this.stepsMax = STEPS_BASE + STEPS_PER_BOX * boxes;
    }

    /** What is wrong, or empty when the boxes tile the tensor of so many elements. */
    static Optional<String> problem(Tensor tensor, long elements, List<Fragment> boxes) {
        FragmentTiling tiling = new FragmentTiling(tensor.shape().size(), boxes.size());
        Optional<String> overlap = tiling.overlap(boxes);
        if (overlap.isPresent()) {
            return overlap;
        }
        // Disjoint boxes inside the tensor: the sum cannot exceed its elements.
        long covered = boxes.stream().mapToLong(FragmentTiling::elements).sum();
        return covered == elements
                ? Optional.empty()
                : Optional.of("its fragments cover " + covered + " of " + elements + " elements");
    }

    private Optional<String> overlap(List<Fragment> boxes) {
        open.push(new Group(new ArrayList<>(boxes), 0, 0));
        while (!open.isEmpty()) {
            Group group = open.pop();
            if (group.boxes().size() < 2) {
                continue;
            }
            if (group.uncut() >= rank) {
                Optional<String> found = overlapInPairs(group.boxes());
                if (found.isPresent()) {
                    return found;
                }
            } else {
                cut(group);
            }
            if (steps > stepsMax) {
                return Optional.of("its fragments are cut too irregularly to be checked");
            }
        }
        return Optional.empty();
    }

    /** Cuts wherever no box reaches across, and leaves the parts to be cut along the next dimension. */
    private void cut(Group group) {
        int d = group.dimension();
        List<Fragment> boxes = group.boxes();
        boxes.sort(Comparator.comparingLong(box -> box.offset().get(d)));
        steps += boxes.size();
        int next = (d + 1) % rank;
        int from = 0;
        long reached = 0;
        for (int i = 0; i < boxes.size(); i++) {
            if (i > from && boxes.get(i).offset().get(d) >= reached) {
                push(boxes, from, i, next, 0);
                from = i;
            }
            reached = Math.max(reached, end(boxes.get(i), d));
        }
        push(boxes, from, boxes.size(), next, from == 0 ? group.uncut() + 1 : 0);
    }

    private void push(List<Fragment> boxes, int from, int to, int dimension, int uncut) {
        if (to - from > 1) {
            open.push(new Group(boxes.subList(from, to), dimension, uncut));
        }
    }

    private Optional<String> overlapInPairs(List<Fragment> boxes) {
        steps += (long) boxes.size() * boxes.size() / 2;
        if (steps > stepsMax) {
            return Optional.empty();
        }
        for (int i = 0; i < boxes.size(); i++) {
            for (int j = 0; j < i; j++) {
                if (overlap(boxes.get(i), boxes.get(j))) {
                    return Optional.of("its fragments at " + boxes.get(j).offset() + " and "
                            + boxes.get(i).offset() + " overlap");
                }
            }
        }
        return Optional.empty();
    }

    private boolean overlap(Fragment a, Fragment b) {
        for (int d = 0; d < rank; d++) {
            if (end(a, d) <= b.offset().get(d) || end(b, d) <= a.offset().get(d)) {
                return false;
            }
        }
        return true;
    }

    private static long end(Fragment box, int dimension) {
        return box.offset().get(dimension) + box.shape().get(dimension);
    }

    private static long elements(Fragment box) {
        return box.shape().stream().reduce(1L, (a, b) -> a * b);
    }
}
