package io.weighbridge.metadata.object.application;

import io.weighbridge.ledger.decision.Decision;
import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.key.CanonicalKeys;
import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.store.Guards;
import io.weighbridge.ledger.store.Ledger;
import io.weighbridge.ledger.store.LedgerTransaction;
import io.weighbridge.ledger.token.NodeKey;
import io.weighbridge.ledger.vocabulary.Availability;
import io.weighbridge.ledger.vocabulary.Tier;
import io.weighbridge.metadata.object.domain.Content;
import io.weighbridge.metadata.object.domain.Copy;
import io.weighbridge.metadata.object.domain.Put;
import io.weighbridge.metadata.object.domain.PutBook;
import io.weighbridge.metadata.object.domain.PutCommand;
import io.weighbridge.metadata.object.domain.PutEvent;
import io.weighbridge.metadata.object.domain.PutRefusal;
import io.weighbridge.metadata.object.postgres.MemberRows;
import io.weighbridge.metadata.object.postgres.PlaceRows;
import io.weighbridge.metadata.object.postgres.PutProjection;
import io.weighbridge.metadata.object.postgres.PutRows;
import io.weighbridge.metadata.revision.application.OperationClaims;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** Adds and retires members' copies for the operation that is active, checked under the revision's guard (spec 1.7). */
public final class Replicas {

    private final Ledger ledger;
    private final OperationClaims claims;
    private final ObjectSettings settings;
    private final PutRows puts = new PutRows();
    private final PlaceRows places = new PlaceRows();
    private final MemberRows members = new MemberRows();
    private final PutProjection projection = new PutProjection();
    private final ObjectEntries entries;

    public Replicas(Ledger ledger, OperationClaims claims, ObjectSettings settings, JsonMapper json) {
        this.ledger = ledger;
        this.claims = claims;
        this.settings = settings;
        this.entries = new ObjectEntries(json);
    }

    /**
     * For whom a command acts.
     *
     * @param operationId null only while the revision is being deleted
     */
    public record Claim(RevisionId revision, @Nullable UUID operationId, long claimEpoch, String subject) {}

    /** One more copy of a member. */
    public record Wish(String key, Tier tier, UUID nodeId) {}

    /** Reserves space for more copies; a plan that is under way for the same place is answered again. */
    public Mono<List<PutAnswer>> plan(Claim claim, UUID operationId, List<Wish> wishes) {
        return ledger.transact(
                Guards.exclusive(claim.revision()),
                tx -> claims.check(tx, claim.revision(), operationId, claim.claimEpoch())
                        .flatMap(revision -> {
                            Set<String> ids = wishes.stream()
                                    .map(wish -> CanonicalKeys.objectId(revision.tenantId(), wish.key()))
                                    .collect(Collectors.toCollection(TreeSet::new));
                            return load(tx, ids, PlaceRows.Mode.ALLOCATE);
                        })
                        .flatMap(loaded -> {
                            Planning planning = new Planning(loaded.book(), loaded.keys(), settings, claim);
                            List<PutAnswer> answers = wishes.stream()
                                    .map(wish -> planning.plan(wish, operationId))
                                    .toList();
                            return write(tx, loaded.book()).thenReturn(answers);
                        }));
    }

    private record Loaded(PutBook book, Map<UUID, NodeKey> keys) {}

    private Mono<Loaded> load(LedgerTransaction tx, Collection<String> ids, PlaceRows.Mode mode) {
        return puts.lock(tx::sql, ids).flatMap(locked -> {
            Set<UUID> segments = locked.stream()
                    .flatMap(put -> put.copies().stream())
                    .map(Copy::segmentId)
                    .collect(Collectors.toSet());
            return places.lock(tx::sql, segments, mode)
                    .flatMap(found -> places.keys(tx::sql)
                            .map(keys -> new Loaded(new PutBook(tx.now(), locked, found, keys::containsKey), keys)));
        });
    }

    private Mono<Void> write(LedgerTransaction tx, PutBook book) {
        return projection.write(tx::sql, book).flatMap(raced -> tx.append(entries.of(book, raced)));
    }

    /** Makes copies unreadable; the bytes go when no read lease can live any more. */
    public Mono<List<PutAnswer>> retire(Claim claim, List<UUID> replicaIds) {
        return ledger.transact(
                Guards.exclusive(claim.revision()),
                tx -> claims.check(tx, claim.revision(), claim.operationId(), claim.claimEpoch())
                        .flatMap(revision -> puts.addresses(tx::sql, replicaIds)
                                .flatMap(addresses -> retire(tx, claim, revision, replicaIds, addresses))));
    }

    private Mono<List<PutAnswer>> retire(
            LedgerTransaction tx,
            Claim claim,
            OperationClaims.ClaimedRevision revision,
            List<UUID> replicaIds,
            Map<UUID, PutRows.Address> addresses) {
        boolean deleting = revision.availability() == Availability.DELETING;
        Set<String> ids = addresses.values().stream()
                .filter(address -> claim.revision().equals(address.revisionId()))
                .map(PutRows.Address::objectId)
                .collect(Collectors.toCollection(TreeSet::new));
        return load(tx, ids, PlaceRows.Mode.KEEP_EPOCH)
                .flatMap(loaded -> members.remaining(
                                tx::sql, claim.revision(), revision.manifestKey(), new HashSet<>(replicaIds))
                        .flatMap(remaining -> {
                            List<PutAnswer> answers = new ArrayList<>(replicaIds.size());
                            for (UUID replica : replicaIds) {
                                PutCommand command =
                                        new PutCommand.Retire(replica, deleting, revision.leased(), remaining > 0);
                                answers.add(retire(loaded.book(), addresses.get(replica), command, claim.subject()));
                            }
                            return write(tx, loaded.book()).thenReturn(answers);
                        }));
    }

    /** A copy that the ledger does not know any more is retired and freed already. */
    private static PutAnswer retire(
            PutBook book, PutRows.@Nullable Address address, PutCommand command, String subject) {
        if (address == null) {
            return new PutAnswer.Done(null, null, null);
        }
        Put put = book.find(address.objectId()).orElse(null);
        Content content = put == null ? null : put.content();
        if (put == null || content == null) {
            return new PutAnswer.Refused(PutRefusal.ABSENT.problem());
        }
        return switch (book.apply(put, command, subject)) {
            case Decision.Accepted<PutEvent> accepted -> new PutAnswer.Done(null, null, null);
            case Decision.Unchanged<PutEvent>() -> new PutAnswer.Done(null, null, null);
            case Decision.Refused<PutEvent>(Problem problem) -> new PutAnswer.Refused(problem);
        };
    }
}
