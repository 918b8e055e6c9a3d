package io.weighbridge.ledger.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.UUID;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Goal: a token verifies under its own node's keys only, and any changed bit is refused. */
class ReadLeaseTest {

    private static final UUID NODE = new UUID(1, 2);
    private static final NodeKey KEY =
            new NodeKey(NODE, 3, "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII));
    private static final ReadLease LEASE = new ReadLease(
            "生产",
            "ab".repeat(32),
            9_007_199_254_740_991L,
            new UUID(-1, 7),
            42,
            Instant.parse("2026-11-30T10:00:00.123Z"),
            Duration.ofSeconds(10));

    @Test
    void verifiesUnderItsKey() {
        assertThat(ReadLease.verify(LEASE.sign(KEY), keys(KEY))).isEqualTo(LEASE);
        assertThat(LEASE.expiresAt()).isEqualTo(Instant.parse("2026-11-30T10:00:10.123Z"));
    }

    @Test
    void verifiesUnderThePreviousKeyAfterARotation() {
        NodeKey next = new NodeKey(NODE, 4, new byte[32]);
        IntFunction<@Nullable NodeKey> keys = Map.of(3, KEY, 4, next)::get;
        assertThat(ReadLease.verify(LEASE.sign(KEY), keys)).isEqualTo(LEASE);
        assertThat(ReadLease.verify(LEASE.sign(next), keys)).isEqualTo(LEASE);
    }

    @Test
    void anotherNodesKeyAndAnUnknownVersionAreRefused() {
        refused(LEASE.sign(KEY), keys(new NodeKey(NODE, 3, new byte[32])));
        refused(LEASE.sign(KEY), version -> null);
    }

    @Test
    void everyChangedBitIsRefused() {
        byte[] token = Base64.getUrlDecoder().decode(LEASE.sign(KEY));
        for (int bit = 0; bit < token.length * 8; bit++) {
            byte[] changed = token.clone();
            changed[bit / 8] ^= (byte) (1 << bit % 8);
            refused(Base64.getUrlEncoder().withoutPadding().encodeToString(changed), keys(KEY));
        }
    }

    @Test
    void everyShorterTokenAndNonsenseAreRefused() {
        String token = LEASE.sign(KEY);
        for (int length = 0; length < token.length(); length++) {
            refused(token.substring(0, length), keys(KEY));
        }
        refused("nonsense with spaces", keys(KEY));
    }

    @Test
    void itsHolderCanSeeHowLongItLasts() {
        assertThat(ReadLease.unverified(LEASE.sign(KEY))).isEqualTo(LEASE);
        assertThatExceptionOfType(ProblemException.class).isThrownBy(() -> ReadLease.unverified("AAAA"));
    }

    @Test
    void aKeyDoesNotShowItsSecret() {
        assertThat(KEY.toString()).doesNotContain("0123456789abcdef").contains(NODE.toString());
    }

    static IntFunction<@Nullable NodeKey> keys(NodeKey key) {
        return version -> version == key.version() ? key : null;
    }

    private static void refused(String token, IntFunction<@Nullable NodeKey> keys) {
        assertThatExceptionOfType(ProblemException.class)
                .isThrownBy(() -> ReadLease.verify(token, keys))
                .satisfies(e -> assertThat(e.problem().code()).isEqualTo(ProblemCode.PERMISSION_DENIED));
    }
}
