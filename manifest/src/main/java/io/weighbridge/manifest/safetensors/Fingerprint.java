package io.weighbridge.manifest.safetensors;

import io.weighbridge.manifest.ManifestException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Objects;

/**
 * What tells one state of a file from another: size, time of modification and, where the file system has one, inode. It
 * catches a file that was replaced, rewritten or cut, not one rewritten in place to the same size within one tick of
 * the file system's clock; the digests of the objects are what the reader relies on.
 */
record Fingerprint(long size, FileTime modified, String inode) {

    static Fingerprint of(Path file) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
        if (!attributes.isRegularFile()) {
            throw new ManifestException(file.getFileName().toString(), "is not a regular file");
        }
        return new Fingerprint(
                attributes.size(), attributes.lastModifiedTime(), Objects.toString(attributes.fileKey(), ""));
    }

    void requireUnchanged(Path file) throws IOException {
        Fingerprint now;
        try {
            now = of(file);
        } catch (NoSuchFileException e) {
            throw new ManifestException(file.getFileName().toString(), "vanished while it was read");
        }
        if (!equals(now)) {
            throw new ManifestException(
                    file.getFileName().toString(), "changed while it was read: was " + this + ", is " + now);
        }
    }
}
