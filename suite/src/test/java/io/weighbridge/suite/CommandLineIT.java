package io.weighbridge.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.manifest.Extent;
import io.weighbridge.manifest.SourceTensor;
import io.weighbridge.manifest.safetensors.Checkpoint;
import io.weighbridge.wire.WireJson;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Goal: each verb does what its help says, for people and for scripts, and refusals are one clear line. */
class CommandLineIT {

    @Test
    void aRevisionFromPublishToDelete(@TempDir Path directory) throws Exception {
        JsonNode published = json(run(
                "publish",
                SharedSuite.SAMPLE.toString(),
                "-m",
                "cli",
                "-r",
                "step/1 %2F 生产",
                "-l",
                "step=1",
                "--json"));
        String id = published.get("revision_id").asString();
        assertThat(published.get("availability").asString()).isEqualTo("READY");

        CommandLineRun again = run(
                "publish", SharedSuite.SAMPLE.toString(), "-m", "cli", "-r", "step/1 %2F 生产", "-l", "step=1", "--json");
        assertThat(json(again).get("metadata_generation")).isEqualTo(published.get("metadata_generation"));

        assertThat(run("list", "-n", "default", "-m", "cli").out()).contains("step/1 %2F 生产", "READY", "HOT", id);
        assertThat(json(run("list", "--json")).findValuesAsString("revision_id"))
                .contains(id);
        assertThat(json(run("show", "-m", "cli", "-r", "step/1 %2F 生产", "--json")))
                .isEqualTo(published);
        assertThat(json(run("show", id, "--members", "--json"))).hasSize(2);
        assertThat(run("show", id, "--diagnosis").out()).contains("LAYER", "VERDICT");

        Path loaded = directory.resolve("loaded");
        assertThat(run("load", id, "--to", loaded.toString()).out()).contains("3 tensors");
        assertThat(Files.list(loaded).map(file -> file.getFileName().toString()))
                .containsExactly("model.safetensors");
        CommandLineRun twice = run("load", id, "--to", loaded.toString());
        assertThat(twice.status()).isEqualTo(1);
        assertThat(twice.err()).contains("holds a checkpoint already");
        assertThat(tensors(loaded)).containsExactlyEntriesOf(tensors(SharedSuite.SAMPLE));

        assertThat(run("evict", id).out()).contains("COLD");
        assertThat(run("rehydrate", id).out()).contains("HOT");
        assertThat(run("lease", id, "--hold", "--for", "1").out()).contains("Holding lease");
        assertThat(run("lease", id).out()).contains("No leases.");
        assertThat(json(run("nodes", "--json"))).hasSize(2);
        assertThat(json(run("watch", "--revision-id", id, "--from", "start", "--count", "1", "--json"))
                        .get("kind")
                        .asString())
                .isEqualTo("ImportBegun");

        assertThat(run("delete", id).out()).contains("DELETED", "ABSENT");
        assertThat(run("list", "-n", "default", "-m", "cli").out()).doesNotContain(id);
        assertThat(run("list", "-n", "default", "-m", "cli", "--deleted").out()).contains(id);
    }

    /** Byte for byte, read by plain file access. */
    private static Map<String, byte[]> tensors(Path directory) throws Exception {
        Map<String, byte[]> tensors = new TreeMap<>();
        for (SourceTensor tensor : Checkpoint.open(directory).tensors()) {
            long bytes = ((Extent.Sized) Extent.of(tensor.dtype(), tensor.shape())).bytes();
            try (RandomAccessFile file = new RandomAccessFile(tensor.file().toFile(), "r")) {
                byte[] content = new byte[(int) bytes];
                file.seek(tensor.offset());
                file.readFully(content);
                tensors.put(tensor.name() + tensor.dtype() + tensor.shape(), content);
            }
        }
        return tensors;
    }

    @Test
    void refusalsAreOneClearLine() {
        CommandLineRun unknown = run("show", "ab".repeat(32));
        assertThat(unknown.status()).isEqualTo(1);
        assertThat(unknown.err()).startsWith("error: NOT_FOUND");
        CommandLineRun malformed = run("show", "nonsense");
        assertThat(malformed.status()).isEqualTo(1);
        assertThat(malformed.err()).contains("INVALID_ARGUMENT");
        assertThat(run("show").err()).contains("--resource");
        assertThat(run("publish", "no-such-directory", "-m", "x", "-r", "y").status())
                .isEqualTo(1);
        assertThat(run("frobnicate").status()).isEqualTo(2);
    }

    @Test
    void anUnreachableGatewayIsSaid() {
        CommandLineRun run = CommandLineRun.of("nodes", "--gateway", "http://127.0.0.1:1");
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains("UNAVAILABLE").contains("cannot be reached");
    }

    @Test
    void theShellCompletionNamesTheVerbs() {
        assertThat(CommandLineRun.of("completion").out()).contains("publish", "rehydrate", "quickstart");
    }

    static CommandLineRun run(String... args) {
        String[] withGateway = Stream.concat(
                        Arrays.stream(args),
                        Stream.of("--gateway", SharedSuite.get().gatewayUrl()))
                .toArray(String[]::new);
        return CommandLineRun.of(withGateway);
    }

    static JsonNode json(CommandLineRun run) {
        assertThat(run.status()).as(run.err()).isZero();
        return WireJson.newMapper().readTree(run.out());
    }
}
