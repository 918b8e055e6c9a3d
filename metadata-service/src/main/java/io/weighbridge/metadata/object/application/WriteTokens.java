package io.weighbridge.metadata.object.application;

import io.weighbridge.ledger.token.NodeKey;
import io.weighbridge.ledger.token.Secret;
import io.weighbridge.ledger.token.WriteToken;
import io.weighbridge.ledger.vocabulary.ObjectType;
import io.weighbridge.metadata.object.domain.Attempt;
import io.weighbridge.metadata.object.domain.Copy;
import io.weighbridge.metadata.object.domain.Put;
import io.weighbridge.metadata.object.domain.Room;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/** Write tokens as texts (spec 2.3). The same put signed under the same keys gives the same text. */
final class WriteTokens {

    private WriteTokens() {}

    static String sign(Put put, ObjectType type, Attempt attempt, List<Copy> copies, Map<UUID, NodeKey> keys) {
        List<WriteToken.Target> targets = copies.stream()
                .map(copy -> new WriteToken.Target(
                        copy.nodeId(), copy.replicaId(), copy.segmentId(), copy.segmentEpoch(), copy.tier()))
                .toList();
        WriteToken token = new WriteToken(
                put.tenantId(),
                attempt.putId(),
                put.objectId(),
                type,
                copies.getFirst().size(),
                attempt.expiresAt(),
                targets);
        return token.sign(node -> Objects.requireNonNull(keys.get(node), "only nodes with keys are allocated"));
    }

    /** The put with what the ledger keeps of its token. */
    static Attempt withHash(Attempt attempt, String token) {
        return new Attempt(
                attempt.putId(),
                attempt.revisionId(),
                attempt.operationId(),
                attempt.subject(),
                Secret.hash(token),
                attempt.state(),
                attempt.startedAt(),
                attempt.expiresAt());
    }

    /** One target for each copy; the rooms are in the copies' order. */
    static List<PutAnswer.Target> targets(List<Copy> copies, List<Room> rooms) {
        List<PutAnswer.Target> targets = new ArrayList<>();
        for (int i = 0; i < copies.size(); i++) {
            Copy copy = copies.get(i);
            targets.add(new PutAnswer.Target(
                    copy.replicaId(),
                    copy.nodeId(),
                    copy.segmentId(),
                    copy.tier(),
                    rooms.get(i).url()));
        }
        return targets;
    }
}
