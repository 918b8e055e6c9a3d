package io.weighbridge.ledger.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.ledger.vocabulary.ObjectType;
import io.weighbridge.ledger.vocabulary.Tier;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Goal: each node finds exactly its own part of a token, and nobody can move a part into another token. */
class WriteTokenTest {

    private static final NodeKey FIRST = key(1);
    private static final NodeKey SECOND = key(2);
    private static final Map<UUID, NodeKey> KEYS = Map.of(FIRST.nodeId(), FIRST, SECOND.nodeId(), SECOND);
    private static final WriteToken TOKEN = token(new UUID(5, 6), ObjectType.WEIGHT, Tier.MEMORY);

    @Test
    void eachNodeFindsItsPart() {
        String text = sign(TOKEN);
        WriteToken.Grant first = WriteToken.verify(text, ReadLeaseTest.keys(FIRST));
        WriteToken.Grant second = WriteToken.verify(text, ReadLeaseTest.keys(SECOND));
        assertThat(first)
                .isEqualTo(new WriteToken.Grant(
                        "tenant-ä",
                        new UUID(5, 6),
                        "cd".repeat(32),
                        ObjectType.WEIGHT,
                        1L << 40,
                        Instant.parse("2026-11-30T10:15:00Z"),
                        new UUID(11, 12),
                        new UUID(13, 14),
                        7,
                        Tier.MEMORY));
        assertThat(second.replicaId()).isEqualTo(new UUID(21, 22));
        assertThat(second.tier()).isEqualTo(Tier.LOCAL_DISK);
    }

    @Test
    void aThirdNodeFindsNone() {
        refused(sign(TOKEN), key(3));
    }

    @Test
    void everyChangedBitIsRefusedByTheNodeItConcerns() {
        byte[] token = Base64.getUrlDecoder().decode(sign(TOKEN));
        int partBytes = 4 + 16 + 16 + 8 + 1 + 32;
        for (int bit = 0; bit < (token.length - partBytes) * 8; bit++) {
            byte[] changed = token.clone();
            changed[bit / 8] ^= (byte) (1 << bit % 8);
            refused(Base64.getUrlEncoder().withoutPadding().encodeToString(changed), FIRST);
        }
    }

    @Test
    void aPartMovedIntoAnotherPutsTokenIsRefused() {
        byte[] old = Base64.getUrlDecoder().decode(sign(TOKEN));
        byte[] other = Base64.getUrlDecoder().decode(sign(token(new UUID(9, 9), ObjectType.WEIGHT, Tier.MEMORY)));
        int parts = 2 * (4 + 16 + 16 + 8 + 1 + 32);
        byte[] spliced = Arrays.copyOf(other, other.length);
        System.arraycopy(old, old.length - parts, spliced, other.length - parts, parts);
        refused(Base64.getUrlEncoder().withoutPadding().encodeToString(spliced), FIRST);
    }

    @Test
    void nonsenseIsRefused() {
        refused("", FIRST);
        refused("!", FIRST);
        refused(Base64.getUrlEncoder().encodeToString(new byte[500]), FIRST);
    }

    @ParameterizedTest
    @EnumSource(ObjectType.class)
    void everyTypeComesBack(ObjectType type) {
        String text = sign(token(new UUID(5, 6), type, Tier.MEMORY));
        assertThat(WriteToken.verify(text, ReadLeaseTest.keys(FIRST)).type()).isEqualTo(type);
    }

    @ParameterizedTest
    @EnumSource(Tier.class)
    void everyTierComesBack(Tier tier) {
        String text = sign(token(new UUID(5, 6), ObjectType.GENERAL, tier));
        assertThat(WriteToken.verify(text, ReadLeaseTest.keys(FIRST)).tier()).isEqualTo(tier);
    }

    @Test
    void aTokenWithoutTargetsCannotBeMade() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new WriteToken(
                        "t", new UUID(1, 1), "cd".repeat(32), ObjectType.WEIGHT, 0, Instant.EPOCH, List.of()));
    }

    @Test
    void secretsMatchTheirHashOnly() {
        String secret = Secret.encode(new byte[32]);
        // SHA-256 of 43 letters "A", from sha256sum.
        assertThat(Secret.hash(secret)).isEqualTo("0f007385b6f9d4b7eeb2748605afe1a984a0a3bfa3f014d09e2a784ce9e5cd1a");
        assertThat(Secret.matches(secret, Secret.hash(secret))).isTrue();
        assertThat(Secret.matches(secret + "A", Secret.hash(secret))).isFalse();
        assertThatIllegalArgumentException().isThrownBy(() -> Secret.encode(new byte[31]));
    }

    private static String sign(WriteToken token) {
        return token.sign(node -> Objects.requireNonNull(KEYS.get(node)));
    }

    private static WriteToken token(UUID putId, ObjectType type, Tier firstTier) {
        return new WriteToken(
                "tenant-ä",
                putId,
                "cd".repeat(32),
                type,
                1L << 40,
                Instant.parse("2026-11-30T10:15:00Z"),
                List.of(
                        new WriteToken.Target(FIRST.nodeId(), new UUID(11, 12), new UUID(13, 14), 7, firstTier),
                        new WriteToken.Target(
                                SECOND.nodeId(), new UUID(21, 22), new UUID(23, 24), 8, Tier.LOCAL_DISK)));
    }

    private static NodeKey key(int number) {
        byte[] secret = new byte[32];
        Arrays.fill(secret, (byte) number);
        return new NodeKey(new UUID(0, number), 1, secret);
    }

    private static void refused(String token, NodeKey key) {
        assertThatExceptionOfType(ProblemException.class)
                .isThrownBy(() -> WriteToken.verify(token, ReadLeaseTest.keys(key)))
                .satisfies(e -> assertThat(e.problem().code()).isEqualTo(ProblemCode.PERMISSION_DENIED));
    }
}
