package io.weighbridge.manifest.safetensors;

import io.weighbridge.ledger.key.Utf8;
import io.weighbridge.manifest.ManifestException;
import io.weighbridge.manifest.ManifestProblem;
import io.weighbridge.manifest.SourceTensor;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A checkpoint on disk: a Hugging Face directory with an index, a directory of safetensors files without one, or a
 * single file. Everything is checked when it is opened, but for the tensors' bytes; no file stays open.
 */
public final class Checkpoint {

    private static final String SUFFIX = ".safetensors";

    private final Map<Path, Fingerprint> fingerprints;
    private final List<SafetensorsHeader> headers;
    private final List<SourceTensor> tensors;

    private Checkpoint(
            Map<Path, Fingerprint> fingerprints, List<SafetensorsHeader> headers, List<SourceTensor> tensors) {
        this.fingerprints = fingerprints;
        this.headers = List.copyOf(headers);
        this.tensors = List.copyOf(tensors);
    }

    /**
     * Opens a directory, whose symbolic links must stay inside it, or one file.
     *
     * @throws ManifestException when something is missing, contradictory or leaves the directory, with its name
     */
    public static Checkpoint open(Path path) throws IOException {
        return open(path, path);
    }

    /**
     * As {@link #open(Path)}, for a directory of links.
     *
     * @param linksWithin where symbolic links may lead: the Hugging Face cache keeps a snapshot's files elsewhere under
     *     the model's own folder
     */
    public static Checkpoint open(Path path, Path linksWithin) throws IOException {
        if (!Files.exists(path)) {
            throw new ManifestException(path.toString(), "does not exist");
        }
        return new Opening(linksWithin.toRealPath()).open(path);
    }

    /** All tensors: by file name, then in the order of their data. */
    public List<SourceTensor> tensors() {
        return tensors;
    }

    /** The headers of all files, by file name. */
    public List<SafetensorsHeader> headers() {
        return headers;
    }

    /** The real paths of all files that hold tensors, by file name. */
    public Collection<Path> files() {
        return tensors.stream().map(SourceTensor::file).distinct().toList();
    }

    /**
     * To be called once the bytes have been read: every file is still what it was when it was opened.
     *
     * @throws ManifestException that names the file that was changed, replaced or removed
     */
    public void requireUnchanged() throws IOException {
        for (Map.Entry<Path, Fingerprint> entry : fingerprints.entrySet()) {
            entry.getValue().requireUnchanged(entry.getKey());
        }
    }

    private static final class Opening {
        private final Path within;
        private final Map<Path, Fingerprint> fingerprints = new LinkedHashMap<>();
        private final List<SafetensorsHeader> headers = new ArrayList<>();
        private final List<SourceTensor> tensors = new ArrayList<>();
        private final Map<String, String> fileByTensor = new LinkedHashMap<>();
        private final List<ManifestProblem> problems = new ArrayList<>();

        Opening(Path within) {
            this.within = within;
        }

        Checkpoint open(Path path) throws IOException {
            if (!Files.isDirectory(path)) {
                header(path);
            } else {
                Path index = path.resolve(CheckpointIndex.FILE);
                if (Files.exists(index)) {
                    indexed(path, index);
                } else {
                    unindexed(path);
                }
            }
            if (!problems.isEmpty()) {
                throw new ManifestException(problems);
            }
            Checkpoint checkpoint = new Checkpoint(fingerprints, headers, tensors);
            checkpoint.requireUnchanged();
            return checkpoint;
        }

        private void unindexed(Path directory) throws IOException {
            TreeSet<String> names = new TreeSet<>(Utf8.ORDER);
            try (Stream<Path> files = Files.list(directory)) {
                files.map(file -> file.getFileName().toString())
                        .filter(name -> name.endsWith(SUFFIX) && !name.startsWith("."))
                        .forEach(names::add);
            }
            if (names.isEmpty()) {
                throw new ManifestException(directory.toString(), "has no " + SUFFIX + " file");
            }
            for (String name : names) {
                header(directory.resolve(name));
            }
        }

        private void indexed(Path directory, Path indexFile) throws IOException {
            Path real = real(indexFile);
            if (Files.size(real) > CheckpointIndex.BYTES_MAX) {
                throw new ManifestException(CheckpointIndex.FILE, "is larger than " + CheckpointIndex.BYTES_MAX);
            }
            CheckpointIndex index = CheckpointIndex.read(Files.readAllBytes(real));
            TreeSet<String> names = new TreeSet<>(Utf8.ORDER);
            names.addAll(index.weightMap().values());
            for (String name : names) {
                header(directory.resolve(name));
            }
            index.weightMap().forEach(this::requireInFile);
            fileByTensor.forEach((tensor, file) -> {
                if (!index.weightMap().containsKey(tensor)) {
                    refuse(file + ": " + tensor, "is not in the index");
                }
            });
            requireTotal(index.totalSize());
        }

        private void requireInFile(String tensor, String file) {
            String actual = fileByTensor.get(tensor);
            if (!file.equals(actual)) {
                refuse(
                        CheckpointIndex.FILE + ": weight_map." + tensor,
                        "is not in '" + file + "'" + (actual == null ? "" : " but in '" + actual + "'"));
            }
        }

        private void requireTotal(OptionalLong total) {
            long actual =
                    headers.stream().mapToLong(SafetensorsHeader::dataBytes).sum();
            if (total.isPresent() && total.getAsLong() != actual) {
                refuse(
                        CheckpointIndex.FILE + ": metadata.total_size",
                        "is " + total.getAsLong() + ", the tensors have " + actual + " bytes");
            }
        }

        private void header(Path file) throws IOException {
            String name = file.getFileName().toString();
            Path real = real(file);
            SafetensorsHeader header;
            try (FileChannel channel = FileChannel.open(real, StandardOpenOption.READ)) {
                header = SafetensorsHeader.read(name, channel);
            }
            headers.add(header);
            for (SafetensorsHeader.Entry entry : header.tensors()) {
                String other = fileByTensor.putIfAbsent(entry.name(), name);
                if (other != null) {
                    refuse(name + ": " + entry.name(), "is in '" + other + "' too");
                }
                tensors.add(new SourceTensor(
                        entry.name(), entry.dtype(), entry.shape(), real, header.dataOffset() + entry.begin()));
            }
        }

        /** Where the file really is, its fingerprint taken before the first byte is read. */
        private Path real(Path file) throws IOException {
            Path real;
            try {
                real = file.toRealPath();
            } catch (NoSuchFileException e) {
                throw new ManifestException(file.getFileName().toString(), "does not exist");
            }
            if (!real.startsWith(within)) {
                throw new ManifestException(file.getFileName().toString(), "is a link that leaves the directory");
            }
            fingerprints.put(real, Fingerprint.of(real));
            return real;
        }

        private void refuse(String name, String message) {
            problems.add(new ManifestProblem(name, message));
        }
    }
}
