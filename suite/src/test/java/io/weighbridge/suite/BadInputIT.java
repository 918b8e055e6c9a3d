package io.weighbridge.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.weighbridge.client.rest.AgentClient;
import io.weighbridge.client.rest.GatewayClient;
import io.weighbridge.client.rest.Rest;
import io.weighbridge.client.weights.Progress;
import io.weighbridge.client.weights.PublishOptions;
import io.weighbridge.client.weights.Publisher;
import io.weighbridge.ledger.identity.RevisionIdentity;
import io.weighbridge.ledger.key.TreeDigest;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.ledger.vocabulary.Availability;
import io.weighbridge.ledger.vocabulary.ObjectType;
import io.weighbridge.ledger.vocabulary.Residency;
import io.weighbridge.manifest.Dtype;
import io.weighbridge.manifest.ManifestException;
import io.weighbridge.manifest.SourceTensor;
import io.weighbridge.manifest.layout.SyntheticCheckpoint;
import io.weighbridge.manifest.packing.Packing;
import io.weighbridge.manifest.safetensors.Checkpoint;
import io.weighbridge.wire.BeginImport;
import io.weighbridge.wire.ObjectResults;
import io.weighbridge.wire.Placement;
import io.weighbridge.wire.PutEnd;
import io.weighbridge.wire.PutStart;
import io.weighbridge.wire.PutStarted;
import io.weighbridge.wire.RevisionView;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Goal: whatever is wrong, the answer says what, nothing is half-published, and the retry works. */
class BadInputIT {

    private final GatewayClient gateway = SharedSuite.gateway();

    @Test
    void aTruncatedCheckpointNamesTheFileAndBeginsNothing(@TempDir Path directory) throws IOException {
        byte[] whole = Files.readAllBytes(firstShard());
        Files.write(directory.resolve("model.safetensors"), Arrays.copyOf(whole, whole.length - 1));
        CommandLineRun run = CommandLineIT.run("publish", directory.toString(), "-m", "truncated", "-r", "r");
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).startsWith("error: ").contains("model.safetensors");
        assertThat(CommandLineIT.run("show", "-m", "truncated", "-r", "r").err())
                .contains("NOT_FOUND");
    }

    private static Path firstShard() throws IOException {
        try (var files = Files.newDirectoryStream(SharedSuite.SAMPLE, "*.safetensors")) {
            return files.iterator().next();
        }
    }

    @Test
    void aFileThatChangesWhileItIsPublishedIsNotPublished(@TempDir Path directory) throws IOException {
        SyntheticCheckpoint.write(
                directory,
                List.of(
                        new SourceTensor("a", Dtype.U8, List.of(2L << 20), Path.of("m.safetensors"), 0),
                        new SourceTensor("b", Dtype.U8, List.of(2L << 20), Path.of("m.safetensors"), 0)),
                5);
        Path file = directory.resolve("m.safetensors");
        byte[] original = Files.readAllBytes(file);
        RevisionIdentity identity = new RevisionIdentity("default", "bad", "changing", "r", 1);
        PublishOptions options = new PublishOptions(
                Packing.DEFAULT.withTarget(1 << 20), new Placement(1, 0, null, null), null, Map.of(), 1);
        Publisher publisher = new Publisher(gateway, options, onUpload(() -> overwriteTail(file)));
        assertThatExceptionOfType(RuntimeException.class)
                .isThrownBy(() -> publisher.publish(identity, Checkpoint.open(directory)))
                .satisfies(e -> assertThat(e).isInstanceOfAny(ManifestException.class, ProblemException.class))
                .withMessageMatching("(?s).*(changed|CHECKSUM_MISMATCH).*");
        RevisionView half = gateway.lookup(identity);
        assertThat(half.availability()).isEqualTo(Availability.IMPORTING);
        assertThat(half.residency()).isEqualTo(Residency.UNKNOWN);

        Files.write(file, original);
        RevisionView retried =
                new Publisher(gateway, options, Progress.SILENT).publish(identity, Checkpoint.open(directory));
        assertThat(retried.availability()).isEqualTo(Availability.READY);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a/b", "a%2Fb", "..", "../../etc/passwd", "a;b=c", "🚀 生产", " ", "a?b#c", "%"})
    void strangeTextsAreNamesLikeAnyOther(String text) throws IOException {
        RevisionIdentity identity = new RevisionIdentity("default", text, text, text, 1);
        RevisionView published = new Publisher(gateway, PublishOptions.DEFAULT, Progress.SILENT)
                .publish(identity, Checkpoint.open(SharedSuite.SAMPLE));
        assertThat(published.revisionId()).isEqualTo(identity.id().hex());
        assertThat(gateway.lookup(identity)).isEqualTo(published);
        assertThat(gateway.revisions(text, text, false, null).revisions()).containsExactly(published);
    }

    @Test
    void aNameWhoseManifestKeyIsTooLongIsRefusedAtTheBegin() {
        RevisionIdentity identity = new RevisionIdentity("default", "bad", "long", "生".repeat(341), 1);
        BeginImport begin = new BeginImport(null, "bad", "long", identity.revision(), 1, 1, 1, null, null, null, null);
        refused(ProblemCode.INVALID_ARGUMENT, () -> gateway.begin(begin));
        refused(ProblemCode.NOT_FOUND, () -> gateway.lookup(identity));
        CommandLineRun run = CommandLineIT.run(
                "publish", SharedSuite.SAMPLE.toString(), "-n", "bad", "-m", "long", "-r", identity.revision());
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).startsWith("error: ").contains("1024");
    }

    @Test
    void aWrongGenerationChangesNothingAndTellsTheRightOne() throws IOException {
        RevisionIdentity identity = new RevisionIdentity("default", "bad", "generation", "r", 1);
        RevisionView ready = new Publisher(gateway, PublishOptions.DEFAULT, Progress.SILENT)
                .publish(identity, Checkpoint.open(SharedSuite.SAMPLE));
        long wrong = ready.metadataGeneration() + 5;
        String id = ready.revisionId();
        for (ThrowingCallable stale : List.<ThrowingCallable>of(
                () -> gateway.residency(id, wrong, Residency.COLD),
                () -> gateway.placement(id, wrong, new Placement(2, 0, null, null)),
                () -> gateway.delete(id, wrong, true, null, null),
                () -> gateway.acquire(id, wrong, "reader", Duration.ofSeconds(5)))) {
            assertThatExceptionOfType(ProblemException.class).isThrownBy(stale).satisfies(e -> {
                assertThat(e.problem().code()).isEqualTo(ProblemCode.STALE_GENERATION);
                assertThat(e.problem().currentGeneration()).isEqualTo(ready.metadataGeneration());
            });
        }
        assertThat(gateway.revision(id)).isEqualTo(ready);
        assertThat(gateway.leases(id, null).leases()).isEmpty();
    }

    @Test
    void anUploadThatStopsHalfWayIsNotReadableAndCanGoOn() {
        byte[] bytes = new byte[1 << 20];
        new Random(1).nextBytes(bytes);
        Put put = start("half-way", bytes.length);
        Rest rest = new Rest(null);
        HttpResponse<?> half = rest.call("PUT", put.url(), "/v1/objects/content")
                .query("key", "half-way")
                .query("offset", 0)
                .header("Write-Token", put.token())
                .content(BodyPublishers.ofByteArray(bytes, 0, 300_000))
                .open();
        assertThat(half.statusCode()).isEqualTo(202);
        AgentClient agents = new AgentClient(rest);
        assertThat(agents.uploadOffset(put.url(), "half-way", put.token())).isEqualTo(300_000);
        assertThat(end("half-way", put, digest(bytes)).code()).isEqualTo(ProblemCode.NOT_READY);
        assertThat(exists("half-way").status()).isEqualTo(404);

        agents.upload(
                put.url(),
                "half-way",
                put.token(),
                300_000,
                BodyPublishers.ofByteArray(bytes, 300_000, bytes.length - 300_000));
        assertThat(end("half-way", put, digest(bytes)).code()).isNull();
        assertThat(exists("half-way").status()).isEqualTo(200);
    }

    @Test
    void aDigestThatDoesNotMatchIsRefused() {
        byte[] bytes = "the bytes that were sent".getBytes(StandardCharsets.UTF_8);
        Put put = start("digest", bytes.length);
        new AgentClient(new Rest(null)).upload(put.url(), "digest", put.token(), 0, BodyPublishers.ofByteArray(bytes));
        assertThat(end("digest", put, "ab".repeat(32)).code()).isEqualTo(ProblemCode.CHECKSUM_MISMATCH);
        assertThat(exists("digest").status()).isEqualTo(404);
        assertThat(end("digest", put, digest(bytes)).code()).isNull();
    }

    @Test
    void moreBytesThanWerePromisedAreRefused() {
        Put put = start("too-much", 10);
        refused(
                ProblemCode.PAYLOAD_TOO_LARGE,
                () -> new AgentClient(new Rest(null))
                        .upload(put.url(), "too-much", put.token(), 0, BodyPublishers.ofByteArray(new byte[11])));
        assertThat(exists("too-much").status()).isEqualTo(404);
    }

    private record Put(String token, String url) {}

    private Put start(String key, long size) {
        PutStarted.Item item = gateway.putStart(
                        List.of(new PutStart.Item(key, size, ObjectType.GENERAL, null, 1, null, null)), null)
                .items()
                .getFirst();
        return new Put(
                Objects.requireNonNull(item.writeToken()),
                item.targets().getFirst().url());
    }

    private ObjectResults.Item end(String key, Put put, String digest) {
        return gateway.putEnd(List.of(new PutEnd.Item(key, put.token(), null, digest)))
                .items()
                .getFirst();
    }

    private ObjectResults.Item exists(String key) {
        return gateway.exists(List.of(key)).items().getFirst();
    }

    private static String digest(byte[] bytes) {
        TreeDigest digest = new TreeDigest();
        digest.update(ByteBuffer.wrap(bytes));
        return digest.finish();
    }

    private static Progress onUpload(Runnable action) {
        return new Progress() {
            @Override
            public void stage(String name, long totalBytes) {
                if (name.equals("upload")) {
                    action.run();
                }
            }

            @Override
            public void advance(long bytes) {}

            @Override
            public void finished() {}
        };
    }

    private static void overwriteTail(Path file) {
        try (RandomAccessFile writable = new RandomAccessFile(file.toFile(), "rw")) {
            writable.seek(writable.length() - 100);
            writable.write(new byte[100]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void refused(ProblemCode code, ThrowingCallable call) {
        assertThatExceptionOfType(ProblemException.class)
                .isThrownBy(call)
                .satisfies(e -> assertThat(e.problem().code()).isEqualTo(code));
    }
}
