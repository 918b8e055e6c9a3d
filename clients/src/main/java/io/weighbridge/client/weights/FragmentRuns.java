package io.weighbridge.client.weights;

import io.weighbridge.manifest.ManifestException;
import io.weighbridge.manifest.ManifestProblem;
import io.weighbridge.manifest.StoredWeightManifest.Fragment;
import io.weighbridge.manifest.StoredWeightManifest.Tensor;
import java.util.List;

/**
 * Where a fragment's bytes belong in its tensor. A fragment is a box; its bytes are contiguous in the object, and in
 * the tensor they are runs of equal length: everything inside the innermost dimensions that the box covers whole.
 */
final class FragmentRuns {

    private final long[] boxShape;
    private final long[] strides;
    private final int runDimension;
    private final long base;
    private final long runBytes;

    /** @throws ManifestException when elements smaller than a byte make a run that is not whole bytes */
    FragmentRuns(Tensor tensor, Fragment fragment) {
        List<Long> shape = tensor.shape();
        int rank = shape.size();
        boxShape = fragment.shape().stream().mapToLong(Long::longValue).toArray();
        strides = new long[rank];
        long bits = tensor.dtype().bits();
        for (int d = rank - 1; d >= 0; d--) {
            strides[d] = bits;
            bits *= shape.get(d);
        }
        int whole = rank;
        while (whole > 0 && boxShape[whole - 1] == shape.get(whole - 1)) {
            whole--;
        }
        runDimension = Math.max(0, whole - 1);
        long start = 0;
        for (int d = 0; d < rank; d++) {
            start += fragment.offset().get(d) * strides[d];
        }
        base = wholeBytes(tensor, start);
        runBytes = rank == 0 ? fragment.bytes() : wholeBytes(tensor, boxShape[runDimension] * strides[runDimension]);
    }

    /** Bytes in each run. */
    long runBytes() {
        return runBytes;
    }

    /** The tensor offset of one of the fragment's bytes. */
    long tensorOffset(long fragmentByte) {
        long run = fragmentByte / runBytes;
        long offset = base + fragmentByte % runBytes;
        for (int d = runDimension - 1; d >= 0; d--) {
            offset += run % boxShape[d] * (strides[d] / Byte.SIZE);
            run /= boxShape[d];
        }
        return offset;
    }

    private static long wholeBytes(Tensor tensor, long bits) {
        if (bits % Byte.SIZE != 0) {
            throw new ManifestException(
                    List.of(new ManifestProblem(tensor.name(), "is split inside a byte, which cannot be read back")));
        }
        return bits / Byte.SIZE;
    }
}
