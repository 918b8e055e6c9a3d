package io.weighbridge.ledger.token;

import io.weighbridge.ledger.key.Utf8;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.UUID;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Permission to read one copy of one object version until {@code issued + ttl}, checked by the copy's node without
 * asking anybody (spec 2.3).
 *
 * @param tenantId whose object it is
 * @param objectId 64 hexadecimal digits, see {@link io.weighbridge.ledger.key.CanonicalKeys#objectId}
 * @param objectVersion the version that was readable
 * @param replicaId the copy
 * @param segmentEpoch the epoch of the copy's segment
 * @param issued the database's transaction timestamp, truncated to milliseconds
 * @param ttl how long the view may be used, at least 1 ms
 */
public record ReadLease(
        String tenantId,
        String objectId,
        long objectVersion,
        UUID replicaId,
        long segmentEpoch,
        Instant issued,
        Duration ttl) {

    private static final byte FORMAT = 1;

    /** The first instant at which the bytes may no longer be used. */
    public Instant expiresAt() {
        return issued.plus(ttl);
    }

    /** The token's text form under the key of the copy's node. */
    public String sign(NodeKey key) {
        byte[] tenant = Utf8.bytes(tenantId);
        byte[] message = ByteBuffer.allocate(1 + 4 + 32 + 8 + 16 + 8 + 8 + 8 + tenant.length)
                .put(FORMAT)
                .putInt(key.version())
                .put(Bytes.ofHex(objectId))
                .putLong(objectVersion)
                .putLong(replicaId.getMostSignificantBits())
                .putLong(replicaId.getLeastSignificantBits())
                .putLong(segmentEpoch)
                .putLong(issued.toEpochMilli())
                .putLong(ttl.toMillis())
                .put(tenant)
                .array();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Bytes.concat(message, key.sign(message)));
    }

    /**
     * Reads and authenticates a token. Expiry is the caller's to check, at the end of the transfer.
     *
     * @param keys the node's own keys by version, null for an unknown version
     * @throws ProblemException PERMISSION_DENIED when the token is not one of this node's
     */
    public static ReadLease verify(String token, IntFunction<@Nullable NodeKey> keys) {
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(token);
            ByteBuffer in = ByteBuffer.wrap(bytes, 0, bytes.length - NodeKey.SIGNATURE_BYTES);
            byte format = in.get();
            NodeKey key = keys.apply(in.getInt());
            if (format != FORMAT
                    || key == null
                    || !key.verifies(
                            Bytes.first(bytes, bytes.length - NodeKey.SIGNATURE_BYTES),
                            Bytes.last(bytes, NodeKey.SIGNATURE_BYTES))) {
                throw denied();
            }
            return read(in);
        } catch (IllegalArgumentException | BufferUnderflowException | IndexOutOfBoundsException e) {
            throw denied();
        }
    }

    /**
     * What a token says, without authentication: for its holder, who wants to know how long it lasts.
     *
     * @throws ProblemException PERMISSION_DENIED when it is no read lease at all
     */
    public static ReadLease unverified(String token) {
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(token);
            ByteBuffer in = ByteBuffer.wrap(bytes, 0, bytes.length - NodeKey.SIGNATURE_BYTES);
            in.position(1 + 4);
            return read(in);
        } catch (IllegalArgumentException | BufferUnderflowException | IndexOutOfBoundsException e) {
            throw denied();
        }
    }

    private static ReadLease read(ByteBuffer in) {
        String objectId = Bytes.hex(in, 32);
        long objectVersion = in.getLong();
        UUID replicaId = new UUID(in.getLong(), in.getLong());
        long segmentEpoch = in.getLong();
        Instant issued = Instant.ofEpochMilli(in.getLong());
        Duration ttl = Duration.ofMillis(in.getLong());
        return new ReadLease(Bytes.rest(in), objectId, objectVersion, replicaId, segmentEpoch, issued, ttl);
    }

    private static ProblemException denied() {
        return new ProblemException(ProblemCode.PERMISSION_DENIED, "the read lease is not one of this node's");
    }
}
