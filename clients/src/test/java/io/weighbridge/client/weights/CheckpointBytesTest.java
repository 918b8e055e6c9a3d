package io.weighbridge.client.weights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.weighbridge.ledger.identity.RevisionIdentity;
import io.weighbridge.ledger.key.TreeDigest;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.manifest.Dtype;
import io.weighbridge.manifest.SourceTensor;
import io.weighbridge.manifest.StoredWeightManifest;
import io.weighbridge.manifest.StoredWeightManifest.Fragment;
import io.weighbridge.manifest.StoredWeightManifest.Tensor;
import io.weighbridge.manifest.layout.SyntheticCheckpoint;
import io.weighbridge.manifest.packing.ObjectPlan;
import io.weighbridge.manifest.packing.Packing;
import io.weighbridge.manifest.packing.PackingPlan;
import io.weighbridge.manifest.packing.Segment;
import io.weighbridge.manifest.safetensors.Checkpoint;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Goal: what is uploaded, and what is read back, are the files' bytes and nothing else. Method: small real files. */
class CheckpointBytesTest {

    private static final RevisionIdentity IDENTITY = new RevisionIdentity("default", "n", "m", "r", 1);

    @TempDir
    private Path directory;

    private Checkpoint checkpoint;
    private PackingPlan plan;

    @BeforeEach
    void write() throws IOException {
        SyntheticCheckpoint.write(
                directory,
                List.of(
                        tensor("scalar", Dtype.F32, List.of(), "a.safetensors"),
                        tensor("odd", Dtype.U8, List.of(777L), "a.safetensors"),
                        tensor("big", Dtype.BF16, List.of(300L, 40L), "b.safetensors"),
                        tensor("wide", Dtype.F32, List.of(2L, 3L, 500L), "b.safetensors")),
                3);
        checkpoint = Checkpoint.open(directory);
        plan = new Packing(4096, 256).plan(IDENTITY, checkpoint.tensors());
    }

    @Test
    void anObjectIsItsSegmentsWithZerosBetween() throws IOException {
        assertThat(plan.objects()).hasSizeGreaterThan(4);
        try (ObjectBytes bytes = new ObjectBytes()) {
            for (ObjectPlan object : plan.objects()) {
                byte[] expected = assembled(object);
                TreeDigest digest = new TreeDigest();
                digest.update(ByteBuffer.wrap(expected));
                assertThat(bytes.digest(object)).isEqualTo(digest.finish());
                for (int offset = 0; offset < expected.length; offset += 97) {
                    try (InputStream in = bytes.open(object, offset)) {
                        assertThat(in.readAllBytes()).isEqualTo(Arrays.copyOfRange(expected, offset, expected.length));
                    }
                }
            }
        }
    }

    @Test
    void whatIsScatteredAndWrittenIsTheCheckpointAgain(@TempDir Path output) throws IOException {
        StoredWeightManifest manifest = manifest();
        try (SafetensorsOutput sink = new SafetensorsOutput(output, manifest);
                FileComparison comparison = new FileComparison(checkpoint.tensors())) {
            scatter(manifest, (tensor, offset, run) -> {
                comparison.accept(tensor, offset, run.duplicate());
                sink.accept(tensor, offset, run);
            });
            assertThat(Files.exists(output.resolve("model.safetensors"))).isFalse();
            sink.finish();
            assertThat(comparison.comparedBytes()).isEqualTo(4 + 777 + 300 * 40 * 2 + 2 * 3 * 500 * 4);
        }
        assertThat(contents(Checkpoint.open(output))).isEqualTo(contents(checkpoint));
        assertThatIOException().isThrownBy(() -> new SafetensorsOutput(output, manifest));
    }

    @Test
    void oneWrongByteIsNamed() throws IOException {
        try (FileComparison comparison = new FileComparison(checkpoint.tensors())) {
            byte[] zeros = new byte[777];
            assertThatExceptionOfType(ProblemException.class)
                    .isThrownBy(() -> comparison.accept("odd", 0, ByteBuffer.wrap(zeros)))
                    .withMessageContaining("CHECKSUM_MISMATCH")
                    .withMessageContaining("odd");
            assertThatExceptionOfType(ProblemException.class)
                    .isThrownBy(() -> comparison.accept("unknown", 0, ByteBuffer.wrap(zeros)))
                    .withMessageContaining("COVERAGE_FAILED");
        }
    }

    private StoredWeightManifest manifest() throws IOException {
        Map<String, String> digests = new HashMap<>();
        try (ObjectBytes bytes = new ObjectBytes()) {
            for (ObjectPlan object : plan.objects()) {
                digests.put(object.key(), bytes.digest(object));
            }
        }
        return plan.manifest(Instant.EPOCH, digests, Map.of());
    }

    /** In chunks of an awkward length, as a network would deliver them. */
    private void scatter(StoredWeightManifest manifest, TensorSink sink) throws IOException {
        Map<String, Tensor> tensors =
                manifest.tensors().stream().collect(Collectors.toMap(Tensor::name, tensor -> tensor));
        try (ObjectBytes bytes = new ObjectBytes()) {
            for (ObjectPlan object : plan.objects()) {
                List<Fragment> fragments = manifest.fragments().stream()
                        .filter(fragment -> fragment.object().equals(object.key()))
                        .sorted(Comparator.comparingLong(Fragment::objectOffset))
                        .toList();
                FragmentScatter scatter = new FragmentScatter(fragments, tensors, sink);
                byte[] chunk = new byte[1013];
                long at = 0;
                try (InputStream in = bytes.open(object, 0)) {
                    for (int n = in.readNBytes(chunk, 0, chunk.length);
                            n > 0;
                            n = in.readNBytes(chunk, 0, chunk.length)) {
                        scatter.accept(at, chunk, n);
                        at += n;
                    }
                }
            }
        }
    }

    private static byte[] assembled(ObjectPlan object) throws IOException {
        byte[] bytes = new byte[(int) object.size()];
        for (Segment segment : object.segments()) {
            byte[] file = Files.readAllBytes(segment.file());
            System.arraycopy(
                    file, (int) segment.fileOffset(), bytes, (int) segment.objectOffset(), (int) segment.length());
        }
        return bytes;
    }

    private static Map<String, String> contents(Checkpoint of) throws IOException {
        Map<String, String> contents = new HashMap<>();
        for (SourceTensor tensor : of.tensors()) {
            byte[] file = Files.readAllBytes(tensor.file());
            long elements = tensor.shape().stream().reduce(1L, (a, b) -> a * b);
            int bytes = (int) (elements * tensor.dtype().bits() / 8);
            contents.put(
                    tensor.name() + tensor.dtype() + tensor.shape(),
                    Arrays.toString(Arrays.copyOfRange(file, (int) tensor.offset(), (int) tensor.offset() + bytes)));
        }
        return contents;
    }

    private static SourceTensor tensor(String name, Dtype dtype, List<Long> shape, String file) {
        return new SourceTensor(name, dtype, shape, Path.of(file), 0);
    }
}
