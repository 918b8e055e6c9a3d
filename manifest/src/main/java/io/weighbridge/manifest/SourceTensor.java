package io.weighbridge.manifest;

import java.nio.file.Path;
import java.util.List;

/**
 * A tensor and the file range that holds all its elements, row-major and little-endian.
 *
 * @param shape in elements; empty for a scalar
 * @param offset of its first byte in the file
 */
public record SourceTensor(String name, Dtype dtype, List<Long> shape, Path file, long offset) {
    public SourceTensor {
        shape = List.copyOf(shape);
    }
}
