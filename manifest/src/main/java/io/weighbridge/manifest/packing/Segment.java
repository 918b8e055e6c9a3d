package io.weighbridge.manifest.packing;

import java.nio.file.Path;

/**
 * A range of a source file that becomes a range of an object.
 *
 * @param length in bytes, at least 1
 */
public record Segment(Path file, long fileOffset, long length, long objectOffset) {}
