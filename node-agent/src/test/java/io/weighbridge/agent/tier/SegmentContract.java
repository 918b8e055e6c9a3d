package io.weighbridge.agent.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.netty.buffer.ByteBuf;
import io.weighbridge.agent.flow.BlockingThreads;
import io.weighbridge.ledger.key.TreeDigest;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.ledger.vocabulary.ObjectType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every tier must do (spec 4.1), whatever its technology. */
abstract class SegmentContract {

    static final long CAPACITY = 48L << 20;

    final BlockingThreads threads = new BlockingThreads(4);
    final Random random = new Random(1);

    @SuppressWarnings("NullAway.Init")
    Segment segment;

    /** An empty segment of {@link #CAPACITY} bytes. */
    abstract Segment open() throws IOException;

    @BeforeEach
    void openSegment() throws IOException {
        segment = open();
    }

    @AfterEach
    void closeSegment() {
        segment.close();
        threads.dispose();
    }

    UUID newId() {
        return new UUID(random.nextLong(), random.nextLong());
    }

    ExtentSpec spec(long size, ObjectType type) {
        return new ExtentSpec(newId(), "ab".repeat(32), "some/key", type, size);
    }

    byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    Extent stored(byte[] bytes, ObjectType type) throws IOException {
        Extent extent = segment.reserve(spec(bytes.length, type));
        try (ExtentWriter writer = extent.write()) {
            writer.append(ByteBuffer.wrap(bytes));
            writer.seal();
        }
        return extent;
    }

    static byte[] read(Extent extent, long from, long to) throws IOException {
        byte[] read = new byte[(int) (to - from)];
        try (ExtentReader reader = extent.read()) {
            int done = 0;
            while (done < read.length) {
                ByteBuf part = reader.read(from + done, Math.min(read.length - done, 700_000));
                int length = part.readableBytes();
                assertThat(length).isPositive();
                assertThat(part.isDirect()).isTrue();
                part.readBytes(read, done, length);
                part.release();
                done += length;
            }
        }
        return read;
    }

    static void refused(ProblemCode code, ThrowingCallable call) {
        assertThatExceptionOfType(ProblemException.class)
                .isThrownBy(call)
                .satisfies(e -> assertThat(e.problem().code()).isEqualTo(code));
    }

    static void gone(CompletableFuture<Void> freed) throws Exception {
        freed.get(10, TimeUnit.SECONDS);
    }

    @Test
    void givesBackWhatItTook() throws Exception {
        byte[] bytes = bytes((17 << 20) + 3);
        Extent extent = stored(bytes, ObjectType.WEIGHT);
        assertThat(segment.usedBytes()).isEqualTo(bytes.length);
        assertThat(segment.find(extent.spec().replicaId())).isSameAs(extent);
        assertThat(MessageDigest.isEqual(read(extent, 0, bytes.length), bytes)).isTrue();
        assertThat(read(extent, 4_194_300, 4_194_310)).isEqualTo(Arrays.copyOfRange(bytes, 4_194_300, 4_194_310));
        assertThat(read(extent, bytes.length - 1, bytes.length)).containsExactly(bytes[bytes.length - 1]);
        segment.verify(extent);
    }

    @Test
    void digestsWhatItTook() throws Exception {
        byte[] bytes = bytes((20 << 20) + 5);
        SealedContent content = stored(bytes, ObjectType.WEIGHT).content();
        TreeDigest digest = new TreeDigest();
        digest.update(ByteBuffer.wrap(bytes));
        List<Long> crcs = new ArrayList<>();
        for (int from = 0; from < bytes.length; from += 4 << 20) {
            CRC32C crc = new CRC32C();
            crc.update(bytes, from, Math.min(4 << 20, bytes.length - from));
            crcs.add(crc.getValue());
        }
        assertThat(content).isEqualTo(new SealedContent(bytes.length, digest.finish(), crcs));
        byte[] manifest = bytes(70_000);
        SealedContent plain =
                Objects.requireNonNull(stored(manifest, ObjectType.METADATA).content());
        assertThat(plain.digest())
                .isEqualTo(HexFormat.of()
                        .formatHex(MessageDigest.getInstance("SHA-256").digest(manifest)));
    }

    @Test
    void keepsNothingAsAnObject() throws Exception {
        for (ObjectType type : new ObjectType[] {ObjectType.GENERAL, ObjectType.METADATA}) {
            Extent extent = stored(new byte[0], type);
            assertThat(extent.content())
                    .isEqualTo(new SealedContent(
                            0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", List.of()));
            assertThat(read(extent, 0, 0)).isEmpty();
            segment.verify(extent);
        }
        assertThat(segment.usedBytes()).isZero();
    }

    @Test
    void continuesWhereAWriterStopped() throws Exception {
        byte[] bytes = bytes(9_000_000);
        Extent extent = segment.reserve(spec(bytes.length, ObjectType.WEIGHT));
        int[] stops = {1, 4_194_304, 4_194_305, 9_000_000};
        int from = 0;
        for (int stop : stops) {
            try (ExtentWriter writer = extent.write()) {
                assertThat(extent.written()).isEqualTo(from);
                writer.append(ByteBuffer.wrap(bytes, from, stop - from));
            }
            from = stop;
        }
        try (ExtentWriter writer = extent.write()) {
            writer.seal();
        }
        assertThat(MessageDigest.isEqual(read(extent, 0, bytes.length), bytes)).isTrue();
    }

    @Test
    void letsOneWriterInAtATimeAndNoneAfterSealing() throws Exception {
        Extent extent = segment.reserve(spec(10, ObjectType.WEIGHT));
        ExtentWriter first = extent.write();
        refused(ProblemCode.BUSY, extent::write);
        first.append(ByteBuffer.wrap(bytes(4)));
        first.close();
        first.close();
        assertThatExceptionOfType(CancellationException.class)
                .isThrownBy(() -> first.append(ByteBuffer.wrap(bytes(1))));
        try (ExtentWriter second = extent.write()) {
            refused(ProblemCode.BUSY, extent::write);
            refused(ProblemCode.PAYLOAD_TOO_LARGE, () -> second.append(ByteBuffer.wrap(bytes(7))));
            assertThat(extent.written()).isEqualTo(4);
            assertThatExceptionOfType(IllegalStateException.class).isThrownBy(second::seal);
            second.append(ByteBuffer.wrap(bytes(6)));
            second.seal();
        }
        refused(ProblemCode.CONFLICT, extent::write);
    }

    @Test
    void readsNothingThatIsNotWhole() throws Exception {
        Extent extent = segment.reserve(spec(10, ObjectType.WEIGHT));
        try (ExtentWriter writer = extent.write()) {
            writer.append(ByteBuffer.wrap(bytes(10)));
            refused(ProblemCode.NOT_FOUND, extent::read);
        }
        refused(ProblemCode.NOT_FOUND, extent::read);
    }

    @Test
    void refusesWhatDoesNotFitBeforeAByteMoves() throws Exception {
        Extent half = segment.reserve(spec(CAPACITY / 2, ObjectType.WEIGHT));
        refused(ProblemCode.NO_SPACE, () -> segment.reserve(spec(CAPACITY / 2 + 1, ObjectType.WEIGHT)));
        Extent rest = segment.reserve(spec(CAPACITY / 2, ObjectType.WEIGHT));
        refused(ProblemCode.NO_SPACE, () -> segment.reserve(spec(1, ObjectType.WEIGHT)));
        assertThat(segment.usedBytes()).isEqualTo(CAPACITY);
        gone(segment.free(half.spec().replicaId()));
        gone(segment.free(rest.spec().replicaId()));
        assertThat(segment.usedBytes()).isZero();
        assertThat(segment.extentCount()).isZero();
        segment.reserve(spec(CAPACITY, ObjectType.WEIGHT));
    }

    @Test
    void hasOneExtentForACopy() throws Exception {
        ExtentSpec spec = spec(10, ObjectType.WEIGHT);
        segment.reserve(spec);
        refused(ProblemCode.CONFLICT, () -> segment.reserve(spec));
        assertThat(segment.usedBytes()).isEqualTo(10);
    }

    @Test
    void freesAnExtentAfterItsLastReader() throws Exception {
        byte[] bytes = bytes(5 << 20);
        Extent extent = stored(bytes, ObjectType.WEIGHT);
        ExtentReader reader = extent.read();
        ByteBuf part = reader.read(0, 1000);
        CompletableFuture<Void> freed = segment.free(extent.spec().replicaId());
        refused(ProblemCode.NOT_FOUND, extent::read);
        assertThat(extent.closed().get(10, TimeUnit.SECONDS)).isNull();
        ByteBuf next = reader.read(1000, 1000);
        assertThat(next.getByte(next.readerIndex())).isEqualTo(bytes[1000]);
        assertThat(freed.isDone()).isFalse();
        next.release();
        part.release();
        assertThat(freed.isDone()).isFalse();
        reader.close();
        reader.close();
        gone(freed);
        assertThat(segment.usedBytes()).isZero();
        gone(segment.free(extent.spec().replicaId()));
    }

    @Test
    void stopsAWriterWhenFreed() throws Exception {
        Extent extent = segment.reserve(spec(10, ObjectType.WEIGHT));
        ExtentWriter writer = extent.write();
        CompletableFuture<Void> freed = segment.free(extent.spec().replicaId());
        assertThat(extent.closed().get(10, TimeUnit.SECONDS)).isNull();
        assertThat(freed.isDone()).isFalse();
        writer.close();
        gone(freed);
        assertThat(segment.find(extent.spec().replicaId())).isNull();
        refused(ProblemCode.STALE_TOKEN, extent::write);
    }

    @Test
    void takesSpansInAnyOrderAndRemembersThem() throws Exception {
        byte[] bytes = bytes((35 << 20) + 7);
        Extent extent = segment.reserve(spec(bytes.length, ObjectType.WEIGHT));
        try (ExtentWriter writer = extent.write()) {
            assertThat(writer.missing(16 << 20)).hasSize(3);
            assertThat(writer.missing(32 << 20)).hasSize(2);
            span(writer, bytes, writer.missing(16 << 20).get(2));
            span(writer, bytes, writer.missing(16 << 20).get(0));
        }
        try (ExtentWriter writer = extent.write()) {
            ContentDigest.Span left = new ContentDigest.Span(16 << 20, 32 << 20);
            assertThat(writer.missing(16 << 20)).containsExactly(left);
            assertThat(writer.completeBytes()).isEqualTo(bytes.length - (16L << 20));
            ContentDigest.Lane broken = writer.lane(left, List.of());
            writer.write(broken, ByteBuffer.wrap(bytes, 16 << 20, 5 << 20));
            ContentDigest.Lane wrong = writer.lane(left, List.of(12345L));
            refused(
                    ProblemCode.CHECKSUM_MISMATCH,
                    () -> writer.write(wrong, ByteBuffer.wrap(bytes, 16 << 20, 16 << 20)));
            assertThat(writer.missing(16 << 20)).containsExactly(left);
            span(writer, bytes, left);
            assertThat(writer.missing(16 << 20)).isEmpty();
            writer.forget(left);
            assertThat(writer.missing(16 << 20)).containsExactly(left);
            span(writer, bytes, left);
            TreeDigest digest = new TreeDigest();
            digest.update(ByteBuffer.wrap(bytes));
            assertThat(writer.seal().digest()).isEqualTo(digest.finish());
        }
        assertThat(MessageDigest.isEqual(read(extent, 0, bytes.length), bytes)).isTrue();
    }

    private static void span(ExtentWriter writer, byte[] bytes, ContentDigest.Span span) throws IOException {
        ContentDigest.Lane lane = writer.lane(span, List.of());
        for (long at = span.from(); at < span.to(); at += 3_000_000) {
            writer.write(lane, ByteBuffer.wrap(bytes, (int) at, (int) Math.min(3_000_000, span.to() - at)));
        }
        assertThat(lane.position()).isEqualTo(span.to());
    }

    /** Random life, compared with a model: no extent ever shows another's bytes, and all space comes back. */
    @Test
    void neverMixesExtents() throws Exception {
        List<Extent> live = new ArrayList<>();
        List<byte[]> model = new ArrayList<>();
        long used = 0;
        for (int i = 0; i < 400; i++) {
            if (random.nextInt(3) > 0 && used < CAPACITY - 300_000) {
                byte[] bytes = bytes(random.nextInt(random.nextBoolean() ? 200 : 300_000));
                live.add(stored(bytes, ObjectType.KVCACHE));
                model.add(bytes);
                used += bytes.length;
            } else if (!live.isEmpty()) {
                int index = random.nextInt(live.size());
                Extent extent = live.remove(index);
                byte[] bytes = model.remove(index);
                assertThat(MessageDigest.isEqual(read(extent, 0, bytes.length), bytes))
                        .isTrue();
                gone(segment.free(extent.spec().replicaId()));
                used -= bytes.length;
            }
            assertThat(segment.usedBytes()).isEqualTo(used);
        }
        for (int i = 0; i < live.size(); i++) {
            assertThat(MessageDigest.isEqual(read(live.get(i), 0, model.get(i).length), model.get(i)))
                    .isTrue();
            gone(segment.free(live.get(i).spec().replicaId()));
        }
        assertThat(segment.usedBytes()).isZero();
        assertThat(segment.takeFailures()).isZero();
        gone(segment.free(
                stored(new byte[(int) CAPACITY], ObjectType.KVCACHE).spec().replicaId()));
    }
}
