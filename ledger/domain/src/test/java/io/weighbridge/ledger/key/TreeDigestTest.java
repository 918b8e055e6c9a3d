package io.weighbridge.ledger.key;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TreeDigestTest {

    private static final int MIB_16 = 16 * 1024 * 1024;

    @Test
    void nothingHasNoChunk() {
        assertThat(new TreeDigest().finish())
                .as("SHA-256 of nothing")
                .isEqualTo("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }

    @Test
    void aSmallPayloadIsTheDigestOfItsDigest() {
        TreeDigest digest = new TreeDigest();
        digest.update(ByteBuffer.wrap(new byte[] {'a', 'b', 'c'}));

        // SHA-256 of the 32 bytes of SHA-256("abc"), known as the double hash of "abc".
        assertThat(digest.finish()).isEqualTo("4f8b42c22dd3729b519ba6f68d2da7cc5b2d606d05daed5ad5128cc03e6c6358");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, MIB_16 - 1, MIB_16, MIB_16 + 1, 2 * MIB_16 + 12_345})
    void everySplitGivesTheIndependentlyComputedDigest(int size) throws NoSuchAlgorithmException {
        byte[] payload = new byte[size];
        RandomGeneratorFactory.of("L64X128MixRandom").create(size).nextBytes(payload);
        String expected = independently(payload);

        for (int split : new int[] {size, 1_000_003, MIB_16 - 1, MIB_16}) {
            TreeDigest digest = new TreeDigest();
            for (int from = 0; from < size; from += split) {
                ByteBuffer part = ByteBuffer.wrap(payload, from, Math.min(split, size - from));
                digest.update(part);
                assertThat(part.hasRemaining()).isFalse();
            }
            assertThat(digest.finish()).as("in parts of %d", split).isEqualTo(expected);
        }
        assertThat(TreeDigest.ofChunks(chunkDigests(payload))).isEqualTo(expected);
    }

    @Test
    void directAndReadOnlyBuffersCountFromTheirPosition() throws NoSuchAlgorithmException {
        byte[] payload = {1, 2, 3, 4, 5};
        ByteBuffer direct = ByteBuffer.allocateDirect(7).position(1);
        direct.put(payload).flip().position(1);
        TreeDigest digest = new TreeDigest();
        digest.update(direct.asReadOnlyBuffer());

        assertThat(digest.finish()).isEqualTo(independently(payload));
    }

    @Test
    void itIsNotThePlainDigest() throws NoSuchAlgorithmException {
        byte[] payload = {1, 2, 3};

        assertThat(independently(payload)).isNotEqualTo(Sha256.hex(payload));
    }

    private static String independently(byte[] payload) throws NoSuchAlgorithmException {
        MessageDigest root = MessageDigest.getInstance("SHA-256");
        for (byte[] chunk : chunkDigests(payload)) {
            root.update(chunk);
        }
        return HexFormat.of().formatHex(root.digest());
    }

    private static List<byte[]> chunkDigests(byte[] payload) throws NoSuchAlgorithmException {
        List<byte[]> digests = new ArrayList<>();
        for (int from = 0; from < payload.length; from += MIB_16) {
            byte[] chunk = Arrays.copyOfRange(payload, from, Math.min(payload.length, from + MIB_16));
            digests.add(MessageDigest.getInstance("SHA-256").digest(chunk));
        }
        return digests;
    }
}
