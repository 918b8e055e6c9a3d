package io.weighbridge.ledger.token;

import io.weighbridge.ledger.key.Utf8;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.ledger.vocabulary.ObjectType;
import io.weighbridge.ledger.vocabulary.Tier;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Permission to write the copies of one put (spec 2.2, 2.3). One token names all targets; each target's part is signed
 * under its own node's key, so that each agent checks its part without asking.
 *
 * @param tenantId whose object it is
 * @param putId the put this token belongs to; a newer put of the same key has another
 * @param objectId 64 hexadecimal digits
 * @param type tells the agent which digest to compute: plain SHA-256 for METADATA, the tree digest otherwise
 * @param size bytes that will be written, 0 or more
 * @param expiresAt no byte is taken from this instant on
 * @param targets one for each copy, 1 to 255
 */
public record WriteToken(
        String tenantId,
        UUID putId,
        String objectId,
        ObjectType type,
        long size,
        Instant expiresAt,
        List<Target> targets) {

    private static final byte FORMAT = 1;

    /**
     * One copy to be written.
     *
     * @param nodeId not part of the token's text; known when signing, and the verifier's own afterwards
     */
    public record Target(UUID nodeId, UUID replicaId, UUID segmentId, long segmentEpoch, Tier tier) {}

    /** The part of a token that concerns the verifying node. */
    public record Grant(
            String tenantId,
            UUID putId,
            String objectId,
            ObjectType type,
            long size,
            Instant expiresAt,
            UUID replicaId,
            UUID segmentId,
            long segmentEpoch,
            Tier tier) {}

    public WriteToken {
        targets = List.copyOf(targets);
        if (targets.isEmpty() || targets.size() > 255) {
            throw new IllegalArgumentException("a write token has 1 to 255 targets");
        }
    }

    /** The token's text form: a header, then each target with its own signature over header and target. */
    public String sign(Function<UUID, NodeKey> keyOfNode) {
        byte[] tenant = Utf8.bytes(tenantId);
        byte[] header = ByteBuffer.allocate(2 + tenant.length + 16 + 32 + 1 + 8 + 8)
                .putShort((short) tenant.length)
                .put(tenant)
                .putLong(putId.getMostSignificantBits())
                .putLong(putId.getLeastSignificantBits())
                .put(Bytes.ofHex(objectId))
                .put(Bytes.initial(type))
                .putLong(size)
                .putLong(expiresAt.toEpochMilli())
                .array();
        ByteBuffer out = ByteBuffer.allocate(2 + header.length + targets.size() * Signed.BYTES);
        out.put(FORMAT).put((byte) targets.size()).put(header);
        for (Target target : targets) {
            NodeKey key = keyOfNode.apply(target.nodeId());
            byte[] body = body(key.version(), target);
            out.put(body).put(key.sign(Bytes.concat(header, body)));
        }
        return Base64.getUrlEncoder().withoutPadding().encodeToString(out.array());
    }

    /**
     * Reads a token and finds the part signed for this node. Expiry and the segment epoch are the caller's to check.
     *
     * @param keys the node's own keys by version, null for an unknown version
     * @throws ProblemException PERMISSION_DENIED when no part of the token is signed for this node
     */
    public static Grant verify(String token, IntFunction<@Nullable NodeKey> keys) {
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(token);
            ByteBuffer in = ByteBuffer.wrap(bytes);
            if (in.get() != FORMAT) {
                throw denied();
            }
            int count = in.get() & 0xFF;
            int start = in.position();
            String tenantId = Bytes.text(in, in.getShort() & 0xFFFF);
            UUID putId = new UUID(in.getLong(), in.getLong());
            String objectId = Bytes.hex(in, 32);
            ObjectType type = Bytes.ofInitial(ObjectType.values(), in.get());
            long size = in.getLong();
            Instant expiresAt = Instant.ofEpochMilli(in.getLong());
            byte[] header = Arrays.copyOfRange(bytes, start, in.position());
            if (in.remaining() != count * Signed.BYTES) {
                throw denied();
            }
            for (Signed part : parts(in, count)) {
                NodeKey key = keys.apply(part.keyVersion());
                if (key != null && key.verifies(Bytes.concat(header, part.body()), part.signature())) {
                    return part.grant(tenantId, putId, objectId, type, size, expiresAt);
                }
            }
            throw denied();
        } catch (IllegalArgumentException | BufferUnderflowException | IndexOutOfBoundsException e) {
            throw denied();
        }
    }

    private static byte[] body(int keyVersion, Target target) {
        return ByteBuffer.allocate(Signed.BODY_BYTES)
                .putInt(keyVersion)
                .putLong(target.replicaId().getMostSignificantBits())
                .putLong(target.replicaId().getLeastSignificantBits())
                .putLong(target.segmentId().getMostSignificantBits())
                .putLong(target.segmentId().getLeastSignificantBits())
                .putLong(target.segmentEpoch())
                .put(Bytes.initial(target.tier()))
                .array();
    }

    private static List<Signed> parts(ByteBuffer in, int count) {
        List<Signed> parts = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            byte[] body = new byte[Signed.BODY_BYTES];
            byte[] signature = new byte[NodeKey.SIGNATURE_BYTES];
            in.get(body).get(signature);
            parts.add(new Signed(body, signature));
        }
        return parts;
    }

    private static ProblemException denied() {
        return new ProblemException(ProblemCode.PERMISSION_DENIED, "the write token is not one of this node's");
    }

    private record Signed(byte[] body, byte[] signature) {

        static final int BODY_BYTES = 4 + 16 + 16 + 8 + 1;
        static final int BYTES = BODY_BYTES + NodeKey.SIGNATURE_BYTES;

        int keyVersion() {
            return ByteBuffer.wrap(body).getInt();
        }

        Grant grant(String tenantId, UUID putId, String objectId, ObjectType type, long size, Instant expiresAt) {
            ByteBuffer in = ByteBuffer.wrap(body, 4, BODY_BYTES - 4);
            UUID replicaId = new UUID(in.getLong(), in.getLong());
            UUID segmentId = new UUID(in.getLong(), in.getLong());
            long segmentEpoch = in.getLong();
            Tier tier = Bytes.ofInitial(Tier.values(), in.get());
            return new Grant(
                    tenantId, putId, objectId, type, size, expiresAt, replicaId, segmentId, segmentEpoch, tier);
        }
    }
}
