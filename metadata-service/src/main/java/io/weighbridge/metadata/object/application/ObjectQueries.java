package io.weighbridge.metadata.object.application;

import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.ledger.store.Ledger;
import io.weighbridge.metadata.object.domain.Content;
import io.weighbridge.metadata.object.domain.Copy;
import io.weighbridge.metadata.object.domain.Diagnosed;
import io.weighbridge.metadata.object.domain.Found;
import io.weighbridge.metadata.object.domain.Put;
import io.weighbridge.metadata.object.domain.PutBook;
import io.weighbridge.metadata.object.postgres.ObjectReads;
import io.weighbridge.metadata.object.postgres.PlaceRows;
import io.weighbridge.metadata.object.postgres.PutRows;
import io.weighbridge.metadata.object.postgres.Sql;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Answers questions about objects; it grants nothing and writes nothing. */
public final class ObjectQueries {

    private final Ledger ledger;
    private final ObjectReads reads = new ObjectReads();
    private final PutRows puts = new PutRows();
    private final PlaceRows places = new PlaceRows();

    public ObjectQueries(Ledger ledger) {
        this.ledger = ledger;
    }

    /** The committed ones of some objects with their readable copies. */
    public Mono<Map<String, Found>> found(Collection<String> objectIds) {
        return reads.found(ledger.reads()::sql, objectIds).onErrorMap(Ledger::readError);
    }

    /** What a diagnosis says. */
    public record Report(boolean readable, List<Diagnosed.Layer> layers) {}

    /** Why an object is, or is not, readable; NOT_FOUND for a key that nobody writes or has written. */
    public Mono<Report> diagnose(String objectId) {
        return ledger.snapshot(client -> {
            Sql sql = client::sql;
            return puts.read(sql, List.of(objectId))
                    .filter(found -> !found.isEmpty())
                    .switchIfEmpty(Mono.error(() -> new ProblemException(
                            ProblemCode.NOT_FOUND, "nobody writes this key, and nobody has written it")))
                    .flatMap(found -> diagnose(sql, found.getFirst()));
        });
    }

    private Mono<Report> diagnose(Sql sql, Put put) {
        Set<UUID> segments = put.copies().stream().map(Copy::segmentId).collect(Collectors.toSet());
        Mono<Instant> clock = sql.sql("SELECT clock_timestamp() AS now")
                .map(row -> Objects.requireNonNull(row.get("now", Instant.class)))
                .one();
        return places.read(sql, segments)
                .flatMap(found -> clock.flatMap(now -> {
                    Put placed = new PutBook(now, List.of(put), found, node -> false)
                            .find(put.objectId())
                            .orElse(put);
                    List<Diagnosed.Layer> layers = new ArrayList<>(Diagnosed.layers(placed, now));
                    boolean readable = Diagnosed.isReadable(placed);
                    return group(sql, placed)
                            .concatWith(owner(sql, placed))
                            .collectList()
                            .map(more -> {
                                layers.addAll(more);
                                layers.addAll(beyond());
                                return new Report(readable, List.copyOf(layers));
                            });
                }));
    }

    private Flux<Diagnosed.Layer> group(Sql sql, Put put) {
        Content content = put.content();
        String group = content == null ? null : content.groupId();
        if (group == null) {
            return Flux.empty();
        }
        return reads.groupSize(sql, put.tenantId(), group)
                .map(size -> new Diagnosed.Layer(
                        "group",
                        size.readable() == size.members() ? Diagnosed.Verdict.OK : Diagnosed.Verdict.WARNING,
                        size.readable() + " of " + size.members() + " members of group " + group + " are readable",
                        size.readable() == size.members() ? null : "a partial group is no hit for who needs all of it"))
                .flux();
    }

    private Mono<Diagnosed.Layer> owner(Sql sql, Put put) {
        Content content = put.content();
        if (content == null || content.revisionId() == null) {
            return Mono.empty();
        }
        String id = content.revisionId().hex();
        return reads.owner(sql, id)
                .map(owner -> new Diagnosed.Layer(
                        "revision",
                        owner.availability().equals("READY") ? Diagnosed.Verdict.OK : Diagnosed.Verdict.WARNING,
                        "revision " + id + " is " + owner.availability() + "/" + owner.residency() + ", operation "
                                + owner.operation() + ", generation " + owner.generation(),
                        "see GET /v1/revisions/" + id + "/diagnosis"));
    }

    /** What the ledger cannot see, and where to look. */
    private static List<Diagnosed.Layer> beyond() {
        return List.of(new Diagnosed.Layer(
                "reader",
                Diagnosed.Verdict.OK,
                "read leases and hot caches are the readers' and agents' own",
                "after LEASE_EXPIRED locate again; a hot-cache entry of another object_version is never served"));
    }
}
