package io.weighbridge.manifest.layout;

import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.ledger.identity.RevisionIdentity;
import io.weighbridge.ledger.key.Sha256;
import io.weighbridge.ledger.key.Utf8;
import io.weighbridge.manifest.Extent;
import io.weighbridge.manifest.ManifestReader;
import io.weighbridge.manifest.ManifestWriter;
import io.weighbridge.manifest.SourceTensor;
import io.weighbridge.manifest.StoredWeightManifest;
import io.weighbridge.manifest.packing.ObjectPlan;
import io.weighbridge.manifest.packing.Packing;
import io.weighbridge.manifest.packing.PackingPlan;
import io.weighbridge.manifest.packing.Segment;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Real names and shapes at real scale: 280 GB of tensors, planned without their bytes. */
class FullSizeTest {

    static List<CheckpointLayout> layouts() {
        return List.of(CheckpointLayout.mixtral8x22b(), CheckpointLayout.llama31x70b());
    }

    @Test
    void theLayoutsAreThePublishedOnes() {
        CheckpointLayout mixtral = CheckpointLayout.mixtral8x22b();
        assertThat(mixtral.tensors()).hasSize(1_739);
        assertThat(mixtral.shards()).hasSize(59);
        assertThat(mixtral.totalSize()).isEqualTo(281_241_268_224L);

        CheckpointLayout llama = CheckpointLayout.llama31x70b();
        assertThat(llama.tensors()).hasSize(723);
        assertThat(llama.shards()).hasSize(162);
        assertThat(llama.totalSize()).isEqualTo(282_215_219_200L);
    }

    @ParameterizedTest
    @MethodSource("layouts")
    void shapesAddUpToTheIndex(CheckpointLayout layout) {
        assertThat(layout.tensors().stream().mapToLong(FullSizeTest::bytes).sum())
                .isEqualTo(layout.totalSize());
    }

    @ParameterizedTest
    @MethodSource("layouts")
    void packingReadsEveryByteOnceAndTheManifestHolds(CheckpointLayout layout) {
        RevisionIdentity identity = new RevisionIdentity("default", "production", layout.name(), "step-1", 1);
        long start = System.nanoTime();
        PackingPlan plan = Packing.DEFAULT.plan(identity, layout.tensors());
        long planned = System.nanoTime();
        Map<String, String> digests = plan.objects().stream()
                .collect(Collectors.toMap(ObjectPlan::key, object -> Sha256.hex(Utf8.bytes(object.key()))));
        StoredWeightManifest manifest = plan.manifest(Instant.EPOCH, digests, Map.of("origin", layout.name()));
        long valid = System.nanoTime();
        byte[] json = ManifestWriter.write(manifest);
        long written = System.nanoTime();
        StoredWeightManifest read = ManifestReader.read(json);
        long end = System.nanoTime();
        System.out.printf(
                "%s: %d tensors, %d fragments, %d objects, %d bytes of JSON;"
                        + " plan %d ms, validate %d ms, write %d ms, read %d ms%n",
                layout.name(),
                manifest.tensors().size(),
                manifest.fragments().size(),
                manifest.objects().size(),
                json.length,
                (planned - start) / 1_000_000,
                (valid - planned) / 1_000_000,
                (written - valid) / 1_000_000,
                (end - written) / 1_000_000);

        assertThat(read).isEqualTo(manifest);
        assertThat(manifest.payloadCount()).isEqualTo(plan.payloadCount());
        assertThat(manifest.logicalBytes())
                .isEqualTo(plan.logicalBytes())
                .isBetween(
                        layout.totalSize(),
                        layout.totalSize() + 256L * layout.tensors().size());
        assertThat(plan.objects())
                .allSatisfy(object -> assertThat(object.size()).isLessThanOrEqualTo(256L << 20));
        assertThat(plan.objects())
                .extracting(ObjectPlan::size)
                .as("objects are large")
                .anyMatch(size -> size > 200L << 20);
        assertSourceIsReadOnce(layout, plan);
    }

    private static void assertSourceIsReadOnce(CheckpointLayout layout, PackingPlan plan) {
        Map<Path, List<Segment>> byFile = plan.objects().stream()
                .flatMap(object -> object.segments().stream())
                .sorted(Comparator.comparingLong(Segment::fileOffset))
                .collect(Collectors.groupingBy(Segment::file, TreeMap::new, Collectors.toList()));
        Map<Path, List<SourceTensor>> tensors =
                layout.tensors().stream().collect(Collectors.groupingBy(SourceTensor::file));
        assertThat(byFile.keySet()).isEqualTo(tensors.keySet());
        byFile.forEach((file, segments) -> {
            long at = segments.getFirst().fileOffset();
            for (Segment segment : segments) {
                assertThat(segment.fileOffset()).isEqualTo(at);
                at += segment.length();
            }
            long bytes = tensors.getOrDefault(file, List.of()).stream()
                    .mapToLong(FullSizeTest::bytes)
                    .sum();
            assertThat(at - segments.getFirst().fileOffset()).isEqualTo(bytes);
        });
    }

    private static long bytes(SourceTensor tensor) {
        return ((Extent.Sized) Extent.of(tensor.dtype(), tensor.shape())).bytes();
    }
}
