package io.weighbridge.manifest.safetensors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weighbridge.manifest.Dtype;
import io.weighbridge.manifest.ManifestException;
import io.weighbridge.manifest.ManifestProblem;
import io.weighbridge.manifest.SourceTensor;
import io.weighbridge.manifest.layout.SyntheticCheckpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CheckpointTest {

    private static final String INDEX = "model.safetensors.index.json";
    private static final String ONE = "model-1.safetensors";
    private static final String TWO = "model-2.safetensors";

    @TempDir
    private Path temporary;

    private Path directory;

    /** {@code a} (8 bytes) and {@code b} (6 bytes) in one file, {@code c} (4 bytes) in another. */
    @BeforeEach
    void twoShards() throws IOException {
        directory = Files.createDirectory(temporary.resolve("checkpoint"));
        SyntheticCheckpoint.write(
                directory,
                List.of(
                        tensor("a", Dtype.F32, ONE, 2L),
                        tensor("b", Dtype.BF16, ONE, 3L),
                        tensor("c", Dtype.U8, TWO, 4L)),
                1);
    }

    @Test
    void theSampleIsAWholeCheckpoint() throws IOException {
        Checkpoint checkpoint = Checkpoint.open(Path.of("../suite/checkpoints/sample"));

        assertThat(checkpoint.tensors()).extracting(SourceTensor::name).containsExactly("tokens", "mask", "codes");
        assertThat(checkpoint.tensors()).extracting(SourceTensor::offset).containsExactly(152L, 259_400L, 80L);
        assertThat(checkpoint.files()).hasSize(2);
        checkpoint.requireUnchanged();
    }

    @Test
    void everyTensorIsFoundInItsFile() throws IOException {
        Checkpoint checkpoint = Checkpoint.open(directory);

        Path one = directory.toRealPath().resolve(ONE);
        long header = checkpoint.headers().getFirst().dataOffset();
        assertThat(checkpoint.tensors().getFirst())
                .isEqualTo(new SourceTensor("a", Dtype.F32, List.of(2L), one, header));
        assertThat(checkpoint.tensors().get(1))
                .isEqualTo(new SourceTensor("b", Dtype.BF16, List.of(3L), one, header + 8));
        assertThat(Files.size(one)).isEqualTo(header + 14);
    }

    @Test
    void withoutAnIndexEveryFileCounts() throws IOException {
        Files.delete(directory.resolve(INDEX));
        Files.writeString(directory.resolve("README.md"), "no tensors");

        assertThat(Checkpoint.open(directory).tensors())
                .extracting(SourceTensor::name)
                .containsExactly("a", "b", "c");
        Files.copy(directory.resolve(TWO), directory.resolve("z.safetensors"));
        assertRefused(() -> Checkpoint.open(directory), "z.safetensors: c", "is in 'model-2.safetensors' too");
    }

    @Test
    void withAnIndexOtherFilesDoNot() throws IOException {
        Files.writeString(directory.resolve("consolidated.safetensors"), "not even a header");

        assertThat(Checkpoint.open(directory).tensors()).hasSize(3);
    }

    @Test
    void aSingleFileIsACheckpoint() throws IOException {
        assertThat(Checkpoint.open(directory.resolve(TWO)).tensors()).hasSize(1);
    }

    @Test
    void whatIsNotThereIsNamed() throws IOException {
        Path nowhere = temporary.resolve("nowhere");
        assertRefused(() -> Checkpoint.open(nowhere), nowhere.toString(), "does not exist");
        Path empty = Files.createDirectory(temporary.resolve("empty"));
        assertRefused(() -> Checkpoint.open(empty), empty.toString(), "has no .safetensors file");
        Files.delete(directory.resolve(TWO));
        assertRefused(() -> Checkpoint.open(directory), TWO, "does not exist");
    }

    @Test
    void contradictionsOfTheIndexAreNamed() throws IOException {
        index(18, "\"a\":\"%s\",\"b\":\"%s\",\"c\":\"%s\"".formatted(ONE, TWO, TWO));
        assertRefused(
                () -> Checkpoint.open(directory),
                INDEX + ": weight_map.b",
                "is not in '" + TWO + "' but in '" + ONE + "'");
        index(18, "\"a\":\"%s\",\"b\":\"%s\",\"c\":\"%s\",\"d\":\"%s\"".formatted(ONE, ONE, TWO, TWO));
        assertRefused(() -> Checkpoint.open(directory), INDEX + ": weight_map.d", "is not in '" + TWO + "'");
        index(18, "\"a\":\"%s\",\"c\":\"%s\"".formatted(ONE, TWO));
        assertRefused(() -> Checkpoint.open(directory), ONE + ": b", "is not in the index");
        index(17, "\"a\":\"%s\",\"b\":\"%s\",\"c\":\"%s\"".formatted(ONE, ONE, TWO));
        assertRefused(
                () -> Checkpoint.open(directory), INDEX + ": metadata.total_size", "is 17, the tensors have 18 bytes");
        index(18, "\"a\":\"%s\",\"a\":\"%s\"".formatted(ONE, ONE));
        assertRefused(() -> Checkpoint.open(directory), INDEX + ": weight_map.a", "is there twice");
        Files.writeString(directory.resolve(INDEX), "{}");
        assertRefused(() -> Checkpoint.open(directory), INDEX + ": weight_map", "is missing");
    }

    @Test
    void anIndexMayHaveMoreOrLessAroundItsMap() throws IOException {
        Files.writeString(
                directory.resolve(INDEX),
                ("{\"made_by\":[1.5,{}],\"metadata\":{\"total_parameters\":1e3},"
                                + "\"weight_map\":{\"a\":\"%s\",\"b\":\"%s\",\"c\":\"%s\"}}")
                        .formatted(ONE, ONE, TWO));
        assertThat(Checkpoint.open(directory).tensors()).hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "../x.safetensors",
                "/etc/x.safetensors",
                "sub/x.safetensors",
                "..",
                ".",
                "",
                ".x.safetensors",
                "..\\\\x.safetensors",
                "C:x.safetensors",
                "x\\u0000.safetensors",
                "x.bin",
                "model.safetensors/",
                "\\nx.safetensors"
            })
    void pathsInTheIndexAreRefused(String name) throws IOException {
        Files.copy(directory.resolve(TWO), temporary.resolve("x.safetensors"));
        index(18, "\"a\":\"" + name + "\"");
        assertThatThrownBy(() -> Checkpoint.open(directory))
                .isInstanceOfSatisfying(
                        ManifestException.class,
                        e -> assertThat(e.problems().getFirst())
                                .satisfies(problem -> assertThat(problem.name()).isEqualTo(INDEX + ": weight_map.a"))
                                .satisfies(
                                        problem -> assertThat(problem.message()).contains("is not the plain name")));
    }

    @Test
    void linksMustStayInsideUnlessToldWhere() throws IOException {
        Path blobs = Files.createDirectory(temporary.resolve("blobs"));
        Files.move(directory.resolve(TWO), blobs.resolve("0a7c"));
        Files.createSymbolicLink(directory.resolve(TWO), Path.of("../blobs/0a7c"));

        assertRefused(() -> Checkpoint.open(directory), TWO, "is a link that leaves the directory");
        assertThat(Checkpoint.open(directory, temporary).tensors().getLast().file())
                .isEqualTo(blobs.toRealPath().resolve("0a7c"));

        Files.move(blobs.resolve("0a7c"), directory.resolve("inside"));
        Files.delete(directory.resolve(TWO));
        Files.createSymbolicLink(directory.resolve(TWO), Path.of("inside"));
        assertThat(Checkpoint.open(directory).tensors()).hasSize(3);

        Files.delete(directory.resolve(INDEX));
        Files.createSymbolicLink(directory.resolve(INDEX), Files.createFile(temporary.resolve("other.json")));
        assertRefused(() -> Checkpoint.open(directory), INDEX, "is a link that leaves the directory");
    }

    @Test
    void onlyRegularFilesAreRead() throws IOException {
        Files.delete(directory.resolve(TWO));
        Files.createDirectory(directory.resolve(TWO));
        assertRefused(() -> Checkpoint.open(directory), TWO, "is not a regular file");
    }

    @Test
    void aFileThatChangesIsNoticed() throws IOException {
        Path one = directory.resolve(ONE);
        Checkpoint checkpoint = Checkpoint.open(directory);
        assertThatCode(checkpoint::requireUnchanged).doesNotThrowAnyException();

        FileTime before = Files.getLastModifiedTime(one);
        Files.setLastModifiedTime(one, FileTime.fromMillis(before.toMillis() + 1));
        assertRefused(checkpoint::requireUnchanged, ONE, "changed while it was read");

        Checkpoint again = Checkpoint.open(directory);
        Path copy = directory.resolve("copy");
        Files.copy(one, copy, StandardCopyOption.COPY_ATTRIBUTES);
        Files.move(copy, one, StandardCopyOption.REPLACE_EXISTING);
        assertRefused(again::requireUnchanged, ONE, "changed while it was read");

        Checkpoint third = Checkpoint.open(directory);
        Files.delete(one);
        assertRefused(third::requireUnchanged, ONE, "vanished while it was read");
    }

    private void index(long total, String weightMap) throws IOException {
        Files.writeString(
                directory.resolve(INDEX),
                "{\"metadata\":{\"total_size\":" + total + "},\"weight_map\":{" + weightMap + "}}");
    }

    private static void assertRefused(ThrowingCallable call, String name, String message) {
        assertThatThrownBy(call).isInstanceOfSatisfying(ManifestException.class, e -> {
            ManifestProblem problem = e.problems().getFirst();
            assertThat(problem.name()).isEqualTo(name);
            assertThat(problem.message()).startsWith(message);
        });
    }

    private static SourceTensor tensor(String name, Dtype dtype, String file, Long... shape) {
        return new SourceTensor(name, dtype, List.of(shape), Path.of(file), 0);
    }
}
