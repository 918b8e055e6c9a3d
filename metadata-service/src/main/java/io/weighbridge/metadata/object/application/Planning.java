package io.weighbridge.metadata.object.application;

import io.weighbridge.ledger.decision.Decision;
import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.store.Randomness;
import io.weighbridge.ledger.token.NodeKey;
import io.weighbridge.metadata.object.domain.Allocator;
import io.weighbridge.metadata.object.domain.Attempt;
import io.weighbridge.metadata.object.domain.Content;
import io.weighbridge.metadata.object.domain.Copy;
import io.weighbridge.metadata.object.domain.Put;
import io.weighbridge.metadata.object.domain.PutBook;
import io.weighbridge.metadata.object.domain.PutCommand;
import io.weighbridge.metadata.object.domain.PutEvent;
import io.weighbridge.metadata.object.domain.PutRefusal;
import io.weighbridge.metadata.object.domain.Room;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Decides an operation's wishes for more copies on what was loaded. */
final class Planning {

    private final PutBook book;
    private final Map<UUID, NodeKey> keys;
    private final ObjectSettings settings;
    private final Replicas.Claim claim;

    Planning(PutBook book, Map<UUID, NodeKey> keys, ObjectSettings settings, Replicas.Claim claim) {
        this.book = book;
        this.keys = keys;
        this.settings = settings;
        this.claim = claim;
    }

    PutAnswer plan(Replicas.Wish wish, UUID operationId) {
        Optional<Put> found =
                book.puts().stream().filter(put -> put.key().equals(wish.key())).findFirst();
        Content content = found.map(Put::content).orElse(null);
        if (found.isEmpty() || content == null || !claim.revision().equals(content.revisionId())) {
            return new PutAnswer.Refused(PutRefusal.ABSENT.problem());
        }
        return plan(found.get(), content, wish, operationId, false);
    }

    private PutAnswer plan(Put put, Content content, Replicas.Wish wish, UUID operationId, boolean replace) {
        Attempt unsigned = new Attempt(
                Randomness.id(),
                claim.revision(),
                operationId,
                claim.subject(),
                "",
                Attempt.State.PENDING,
                book.now(),
                book.now().plus(settings.tokenLife(content.size())));
        Room room = Allocator.on(book.rooms(), wish.nodeId(), wish.tier(), content.size())
                .orElse(null);
        Copy copy = room == null
                ? null
                : Copy.reserved(Randomness.id(), unsigned.putId(), operationId, room, content.size(), book.now());
        String token = copy == null ? "" : sign(put, content, unsigned, copy);
        PutCommand command =
                new PutCommand.Plan(WriteTokens.withHash(unsigned, token), wish.nodeId(), wish.tier(), replace, copy);
        return switch (book.apply(put, command, claim.subject())) {
            case Decision.Accepted<PutEvent> accepted -> started(token, copy);
            case Decision.Unchanged<PutEvent>() -> again(put, content, wish, operationId);
            case Decision.Refused<PutEvent>(Problem problem) -> new PutAnswer.Refused(problem);
        };
    }

    /** The same text as before, unless the node's key was rotated since: then a new plan replaces the old one. */
    private PutAnswer again(Put put, Content content, Replicas.Wish wish, UUID operationId) {
        for (Copy copy : put.copies()) {
            Attempt attempt =
                    put.attempt(copy.putId()).filter(Attempt::isPending).orElse(null);
            if (attempt == null || !isOf(copy, wish, operationId) || !keys.containsKey(copy.nodeId())) {
                continue;
            }
            String token = sign(put, content, attempt, copy);
            if (WriteTokens.withHash(attempt, token).tokenHash().equals(attempt.tokenHash())) {
                return started(token, copy);
            }
        }
        return plan(put, content, wish, operationId, true);
    }

    private static boolean isOf(Copy copy, Replicas.Wish wish, UUID operationId) {
        return operationId.equals(copy.operationId())
                && copy.nodeId().equals(wish.nodeId())
                && copy.tier() == wish.tier();
    }

    private String sign(Put put, Content content, Attempt attempt, Copy copy) {
        return WriteTokens.sign(put, content.type(), attempt, List.of(copy), keys);
    }

    private PutAnswer started(String token, @Nullable Copy planned) {
        Copy copy = Objects.requireNonNull(planned, "an accepted plan has a copy");
        String url = book.place(copy.segmentId()).orElseThrow().url();
        return new PutAnswer.Started(
                token,
                List.of(new PutAnswer.Target(copy.replicaId(), copy.nodeId(), copy.segmentId(), copy.tier(), url)));
    }
}
