package io.weighbridge.manifest.packing;

import io.weighbridge.manifest.Dtype;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Splits a tensor into boxes of about equal size, none larger than the target, each a contiguous range of the tensor's
 * row-major bytes: along the outermost dimension, and along the next where one row alone is too large. A box of
 * elements smaller than a byte takes as many rows as make whole bytes, the target notwithstanding.
 */
final class BoxSplit {

    /**
     * A box and its range.
     *
     * @param start of its first byte, from the start of the tensor
     */
    record Box(List<Long> offset, List<Long> shape, long start, long bytes) {}

    private final List<Long> shape;
    private final long target;
    private final long[] rowBits;
    private final List<Box> boxes = new ArrayList<>();

    private BoxSplit(Dtype dtype, List<Long> shape, long target) {
        this.shape = shape;
        this.target = target;
        this.rowBits = new long[shape.size()];
        long bits = dtype.bits();
        for (int d = shape.size() - 1; d >= 0; d--) {
            rowBits[d] = bits;
            bits *= shape.get(d);
        }
    }

    /** Of a tensor that is larger than the target, whose extent was checked and which has at least one dimension. */
    static List<Box> split(Dtype dtype, List<Long> shape, long target) {
        BoxSplit split = new BoxSplit(dtype, shape, target);
        split.along(0, new ArrayList<>(Collections.nCopies(shape.size(), 0L)), 0);
        return split.boxes;
    }

    private void along(int d, List<Long> offset, long startBits) {
        long rows = shape.get(d);
        boolean rowTooLarge = rowBits[d] % 8 == 0 && rowBits[d] / 8 > target && d + 1 < shape.size();
        if (rowTooLarge) {
            for (long row = 0; row < rows; row++) {
                offset.set(d, row);
                along(d + 1, offset, startBits + row * rowBits[d]);
            }
            offset.set(d, 0L);
            return;
        }
        long step = rowsPerBox(rows, rowBits[d]);
        for (long row = 0; row < rows; row += step) {
            offset.set(d, row);
            add(d, offset, Math.min(step, rows - row), startBits + row * rowBits[d]);
        }
        offset.set(d, 0L);
    }

    /** As even as can be: two halves rather than a full box and a scrap. */
    private long rowsPerBox(long rows, long bits) {
        long unit = 8 / Math.min(8, Long.lowestOneBit(bits));
        long most = Math.max(unit, target * 8 / bits / unit * unit);
        long count = Math.ceilDiv(rows, most);
        return Math.ceilDiv(Math.ceilDiv(rows, count), unit) * unit;
    }

    private void add(int d, List<Long> offset, long rows, long startBits) {
        List<Long> box = new ArrayList<>(Collections.nCopies(d, 1L));
        box.add(rows);
        box.addAll(shape.subList(d + 1, shape.size()));
        boxes.add(new Box(List.copyOf(offset), List.copyOf(box), startBits / 8, rows * rowBits[d] / 8));
    }
}
