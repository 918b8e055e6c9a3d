package io.weighbridge.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.client.weights.Progress;
import io.weighbridge.manifest.SourceTensor;
import io.weighbridge.manifest.layout.CheckpointLayout;
import io.weighbridge.manifest.layout.SyntheticCheckpoint;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: one revision's whole life over HTTP through the gateway, with real bytes on two agents and a real PostgreSQL.
 * Method: the quick start's own story, which checks each step; with the real sample, and with the names and tensor count
 * of a Mixtral 8x22B checkpoint whose shapes are scaled to about 256 MiB.
 */
class StoryIT {

    private static final long MIB = 1 << 20;

    @Test
    void theSampleCheckpoint() {
        tell(SharedSuite.SAMPLE, 256 * MIB);
    }

    @Test
    void aCheckpointWithTheNamesOfMixtral(@TempDir Path directory) {
        List<SourceTensor> scaled = CheckpointLayout.mixtral8x22b().tensors().stream()
                .map(StoryIT::scaled)
                .toList();
        assertThat(scaled).hasSize(1739);
        SyntheticCheckpoint.write(directory, scaled, 22);
        tell(directory, 4 * MIB);
    }

    private static void tell(Path checkpoint, long objectBytes) {
        QuickstartStory story = new QuickstartStory(SharedSuite.gateway(), checkpoint, objectBytes, Progress.SILENT);
        boolean passed = story.tell(line -> {});
        System.out.println(story.table());
        assertThat(passed).as(story.outcome(System.nanoTime())).isTrue();
    }

    /** Every dimension but the number of experts shrinks by 32, so the bytes shrink by about 1024. */
    private static SourceTensor scaled(SourceTensor tensor) {
        List<Long> shape = tensor.shape().stream()
                .map(extent -> extent < 64 ? extent : extent / 32)
                .toList();
        return new SourceTensor(tensor.name(), tensor.dtype(), shape, tensor.file(), 0);
    }
}
