package io.weighbridge.agent.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.weighbridge.agent.tier.disk.DiskTier;
import io.weighbridge.ledger.vocabulary.ObjectType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskTierIT extends SegmentContract {

    @TempDir
    private Path home;

    @Override
    Segment open() throws IOException {
        return DiskTier.open(home.resolve("disk"), CAPACITY, this::newId, threads::execute);
    }

    private Path file(Extent extent) {
        return home.resolve("disk/extents").resolve(extent.spec().replicaId().toString());
    }

    private void reopen() throws IOException {
        segment.close();
        segment = open();
    }

    @Test
    void isTheSameAfterItWasOpenedAgain() throws Exception {
        byte[] bytes = bytes(6 << 20);
        Extent extent = stored(bytes, ObjectType.WEIGHT);
        Segment.Identity identity = segment.identity();
        Extent unfinished = segment.reserve(spec(1000, ObjectType.WEIGHT));
        try (ExtentWriter writer = unfinished.write()) {
            writer.append(ByteBuffer.wrap(bytes(10)));
        }
        reopen();
        assertThat(segment.identity()).isEqualTo(identity);
        assertThat(segment.usedBytes()).isEqualTo(bytes.length);
        Extent again = Objects.requireNonNull(segment.find(extent.spec().replicaId()));
        assertThat(again.spec()).isEqualTo(extent.spec());
        assertThat(again.content()).isEqualTo(extent.content());
        assertThat(again.isTrusted()).isFalse();
        segment.verify(again);
        assertThat(read(again, 0, bytes.length)).isEqualTo(bytes);
        assertThat(segment.find(unfinished.spec().replicaId())).isNull();
        assertThat(home.resolve("disk/incoming")).isEmptyDirectory();
    }

    @Test
    void noticesEveryFlippedByte() throws Exception {
        byte[] bytes = bytes(100);
        Extent extent = stored(bytes, ObjectType.WEIGHT);
        byte[] file = Files.readAllBytes(file(extent));
        for (int position = 0; position < file.length; position++) {
            byte[] damaged = file.clone();
            damaged[position] ^= 0x10;
            Files.write(file(extent), damaged);
            reopen();
            Extent found = segment.find(extent.spec().replicaId());
            if (position < bytes.length) {
                Extent whole = Objects.requireNonNull(found, "position " + position);
                assertThatExceptionOfType(DamagedException.class).isThrownBy(() -> segment.verify(whole));
                assertThatExceptionOfType(DamagedException.class).isThrownBy(() -> read(whole, 0, 1));
            } else {
                assertThat(found).as("position %s", position).isNull();
                assertThat(segment.damaged()).containsExactly(extent.spec().replicaId());
            }
        }
        Files.write(file(extent), file);
        reopen();
        assertThat(segment.damaged()).isEmpty();
    }

    @Test
    void noticesEveryTruncation() throws Exception {
        Extent extent = stored(bytes(100), ObjectType.WEIGHT);
        byte[] file = Files.readAllBytes(file(extent));
        for (int length = 0; length < file.length; length++) {
            Files.write(file(extent), java.util.Arrays.copyOf(file, length));
            reopen();
            assertThat(segment.find(extent.spec().replicaId())).isNull();
            assertThat(segment.damaged()).containsExactly(extent.spec().replicaId());
        }
        segment.discardDamaged(extent.spec().replicaId());
        assertThat(file(extent)).doesNotExist();
        assertThat(segment.damaged()).isEmpty();
    }

    @Test
    void noticesAFileThatShrinksWhileItIsRead() throws Exception {
        Extent extent = stored(bytes(9 << 20), ObjectType.WEIGHT);
        try (ExtentReader reader = extent.read()) {
            reader.read(0, 10).release();
            try (FileChannel channel = FileChannel.open(file(extent), StandardOpenOption.WRITE)) {
                channel.truncate(5 << 20);
            }
            assertThatExceptionOfType(DamagedException.class).isThrownBy(() -> reader.read(4 << 20, 10));
        }
    }

    @Test
    void leavesOthersFilesAlone() throws Exception {
        Path foreign = home.resolve("disk/extents/README");
        Files.writeString(foreign, "mine");
        UUID misnamed = newId();
        Extent extent = stored(bytes(10), ObjectType.WEIGHT);
        Files.move(file(extent), home.resolve("disk/extents").resolve(misnamed.toString()));
        reopen();
        assertThat(foreign).exists();
        assertThat(segment.find(misnamed)).isNull();
        assertThat(segment.damaged()).containsExactly(misnamed);
    }

    @Test
    void deletesFiles() throws Exception {
        Extent extent = stored(bytes(10), ObjectType.WEIGHT);
        assertThat(file(extent)).exists();
        gone(segment.free(extent.spec().replicaId()));
        assertThat(file(extent)).doesNotExist();
        Extent unfinished = segment.reserve(spec(1000, ObjectType.WEIGHT));
        gone(segment.free(unfinished.spec().replicaId()));
        assertThat(home.resolve("disk/incoming")).isEmptyDirectory();
    }
}
