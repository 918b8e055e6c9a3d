package io.weighbridge.metadata.object.application;

import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.store.Guards;
import io.weighbridge.ledger.store.LedgerTransaction;
import io.weighbridge.ledger.token.NodeKey;
import io.weighbridge.ledger.vocabulary.ObjectType;
import io.weighbridge.metadata.object.domain.Copy;
import io.weighbridge.metadata.object.domain.Put;
import io.weighbridge.metadata.object.domain.PutBook;
import io.weighbridge.metadata.object.postgres.MemberRows;
import io.weighbridge.metadata.object.postgres.PlaceRows;
import io.weighbridge.metadata.object.postgres.PutRows;
import io.weighbridge.metadata.object.postgres.Sql;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * What a batch of requests is decided from: addresses without locks, then the guards that are free, then objects, then
 * segments, each in the order of their ids, then what only needs reading.
 */
final class PutLoad {

    private final PutRows puts = new PutRows();
    private final PlaceRows places = new PlaceRows();
    private final MemberRows members = new MemberRows();

    /** To which objects and revisions requests lead, before anything is locked. */
    record Targets(Map<UUID, PutRows.Address> copies, Map<String, RevisionId> revisions) {

        /** The object of a request; null for a report on a copy that its node does not have. */
        @Nullable
        String objectId(PutRequest request) {
            return switch (request) {
                case PutRequest.Start start -> start.objectId();
                case PutRequest.End end -> end.objectId();
                case PutRequest.Revoke revoke -> revoke.objectId();
                case PutRequest.Housekeeping keeping -> keeping.objectId();
                case PutRequest.Report report -> {
                    PutRows.Address address = copies.get(report.replicaId());
                    yield address != null && address.nodeId().equals(report.nodeId()) ? address.objectId() : null;
                }
            };
        }

        /** The revision under whose shared guard a request runs. */
        Optional<RevisionId> guard(PutRequest request) {
            return switch (request) {
                case PutRequest.Start start ->
                    Optional.ofNullable(start.wanted().revisionId());
                case PutRequest.End end -> Optional.ofNullable(revisions.get(end.objectId()));
                case PutRequest.Revoke revoke -> Optional.ofNullable(revisions.get(revoke.objectId()));
                case PutRequest.Housekeeping keeping -> Optional.ofNullable(revisions.get(keeping.objectId()));
                case PutRequest.Report report ->
                    Optional.ofNullable(copies.get(report.replicaId()))
                            .filter(address ->
                                    address.operationId() != null && report.what() instanceof PutRequest.What.AllStored)
                            .map(PutRows.Address::revisionId);
            };
        }
    }

    /** Everything read. */
    record Loaded(
            PutBook book,
            Targets targets,
            Set<RevisionId> held,
            Map<RevisionId, MemberRows.Owner> owners,
            Map<UUID, NodeKey> keys,
            Map<UUID, PlaceRows.Registration> registrations,
            Deque<Long> versions) {}

    Mono<Targets> targets(Sql sql, Collection<PutRequest> requests) {
        List<UUID> replicas = requests.stream()
                .filter(PutRequest.Report.class::isInstance)
                .map(request -> ((PutRequest.Report) request).replicaId())
                .toList();
        List<String> objects = requests.stream()
                .map(request -> switch (request) {
                    case PutRequest.End end -> end.objectId();
                    case PutRequest.Revoke revoke -> revoke.objectId();
                    case PutRequest.Housekeeping keeping -> keeping.objectId();
                    case PutRequest.Start start -> "";
                    case PutRequest.Report report -> "";
                })
                .filter(id -> !id.isEmpty())
                .toList();
        return puts.addresses(sql, replicas)
                .flatMap(copies -> puts.revisions(sql, objects).map(revisions -> new Targets(copies, revisions)));
    }

    /** @param held the guards that the transaction took first; null: those that are free are taken now */
    Mono<Loaded> load(LedgerTransaction tx, List<PutRequest> requests, @Nullable Set<RevisionId> held) {
        return targets(tx::sql, requests).flatMap(targets -> {
            Set<RevisionId> wanted = requests.stream()
                    .map(targets::guard)
                    .flatMap(Optional::stream)
                    .collect(Collectors.toCollection(TreeSet::new));
            Mono<Set<RevisionId>> guards = held != null
                    ? Mono.just(held)
                    : wanted.isEmpty() ? Mono.just(Set.of()) : tx.tryGuards(Guards.Mode.SHARED, wanted);
            return guards.flatMap(taken -> locked(tx, requests, targets, taken));
        });
    }

    private Mono<Loaded> locked(
            LedgerTransaction tx, List<PutRequest> requests, Targets targets, Set<RevisionId> held) {
        Set<String> objects = new TreeSet<>();
        for (PutRequest request : requests) {
            String id = targets.objectId(request);
            if (id != null) {
                objects.add(id);
            }
        }
        return puts.lock(tx::sql, objects)
                .flatMap(rows -> placed(tx, requests, rows).flatMap(book -> rest(tx, requests, targets, held, book)));
    }

    private Mono<Placed> placed(LedgerTransaction tx, List<PutRequest> requests, List<Put> rows) {
        PlaceRows.Mode mode = mode(requests);
        Set<UUID> segments = rows.stream()
                .flatMap(put -> put.copies().stream())
                .map(Copy::segmentId)
                .collect(Collectors.toSet());
        Mono<Map<UUID, NodeKey>> keys = mode == PlaceRows.Mode.ALLOCATE ? places.keys(tx::sql) : Mono.just(Map.of());
        return places.lock(tx::sql, segments, mode)
                .flatMap(found -> keys.map(k -> new Placed(new PutBook(tx.now(), rows, found, k::containsKey), k)));
    }

    private record Placed(PutBook book, Map<UUID, NodeKey> keys) {}

    private Mono<Loaded> rest(
            LedgerTransaction tx, List<PutRequest> requests, Targets targets, Set<RevisionId> held, Placed placed) {
        Set<RevisionId> counted = requests.stream()
                .filter(request -> request instanceof PutRequest.Start start
                        && start.wanted().type() == ObjectType.METADATA)
                .map(targets::guard)
                .flatMap(Optional::stream)
                .collect(Collectors.toSet());
        Set<UUID> nodes = requests.stream()
                .filter(PutRequest.Report.class::isInstance)
                .map(request -> ((PutRequest.Report) request).nodeId())
                .collect(Collectors.toSet());
        long ends = requests.stream().filter(PutRequest.End.class::isInstance).count();
        return members.owners(tx::sql, held, counted)
                .flatMap(owners -> places.registrations(tx::sql, nodes)
                        .flatMap(registrations -> versions(tx, ends)
                                .map(versions -> new Loaded(
                                        placed.book(),
                                        targets,
                                        held,
                                        owners,
                                        placed.keys(),
                                        registrations,
                                        new ArrayDeque<>(versions)))));
    }

    /** Drawn under the objects' locks, so that the versions of one key ascend. */
    private static Mono<List<Long>> versions(LedgerTransaction tx, long count) {
        return count == 0
                ? Mono.just(List.of())
                : tx.sql("SELECT nextval('metadata.object_version_seq') AS version FROM generate_series(1, :count)")
                        .bind("count", count)
                        .map(row -> row.get("version", Long.class))
                        .all()
                        .collectList();
    }

    private static PlaceRows.Mode mode(List<PutRequest> requests) {
        PlaceRows.Mode mode = PlaceRows.Mode.KEEP_EPOCH;
        for (PutRequest request : requests) {
            PlaceRows.Mode needed = switch (request) {
                case PutRequest.Start start -> PlaceRows.Mode.ALLOCATE;
                case PutRequest.End end -> PlaceRows.Mode.KEEP_EPOCH;
                case PutRequest.Revoke revoke -> PlaceRows.Mode.KEEP_EPOCH;
                case PutRequest.Housekeeping keeping -> PlaceRows.Mode.CHANGE_SPACE;
                case PutRequest.Report report ->
                    switch (report.what()) {
                        case PutRequest.What.Closed() -> PlaceRows.Mode.CHANGE_SPACE;
                        case PutRequest.What.Freed() -> PlaceRows.Mode.CHANGE_SPACE;
                        case PutRequest.What.Opened() -> PlaceRows.Mode.KEEP_EPOCH;
                        case PutRequest.What.AllStored stored -> PlaceRows.Mode.KEEP_EPOCH;
                        case PutRequest.What.Corrupt() -> PlaceRows.Mode.KEEP_EPOCH;
                    };
            };
            mode = needed.compareTo(mode) > 0 ? needed : mode;
        }
        return mode;
    }
}
