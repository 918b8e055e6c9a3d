package io.weighbridge.metadata.object.domain;

import io.weighbridge.ledger.decision.Decision;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * The locked objects of one transaction: several commands on one key are folded in arrival order, and what differs at
 * the end is written once. Not thread-safe.
 */
public final class PutBook {

    private final Instant now;
    private final Map<String, Put> loaded = new LinkedHashMap<>();
    private final Map<String, Put> current = new LinkedHashMap<>();
    private final Map<UUID, Place> places = new HashMap<>();
    private final Map<UUID, Room> rooms = new LinkedHashMap<>();
    private final List<Happened> happened = new ArrayList<>();

    /** One event with the object after it. */
    public record Happened(Put before, Put after, PutEvent event, String subject) {}

    /** What a transaction has made of one object. */
    public record Change(Put before, Put after) {}

    /**
     * @param puts locked
     * @param places locked, all segments of the puts' copies and all that may be allocated
     */
    public PutBook(Instant now, Collection<Put> puts, Collection<Place> places, Predicate<UUID> nodeHasKey) {
        this.now = now;
        for (Place place : places) {
            this.places.put(place.segmentId(), place);
            if (place.isAllocatable() && nodeHasKey.test(place.nodeId())) {
                rooms.put(place.segmentId(), place.room(now));
            }
        }
        for (Put put : puts) {
            Put placed = placed(put);
            loaded.put(put.objectId(), placed);
            current.put(put.objectId(), placed);
        }
    }

    private Put placed(Put put) {
        List<Copy> copies = put.copies().stream()
                .map(copy -> copy.at(standing(copy.segmentId(), copy.segmentEpoch())))
                .toList();
        return new Put(put.tenantId(), put.key(), put.objectId(), put.content(), put.attempts(), copies);
    }

    private Standing standing(UUID segmentId, long epoch) {
        Place place = places.get(segmentId);
        return place == null ? Standing.AWAY : place.standing(epoch);
    }

    public Instant now() {
        return now;
    }

    public Optional<Put> find(String objectId) {
        return Optional.ofNullable(current.get(objectId));
    }

    /** All objects as they are now. */
    public Collection<Put> puts() {
        return current.values();
    }

    /** The object as it is after the commands so far. */
    public Put put(String tenantId, String key, String objectId) {
        Put put = current.get(objectId);
        return put == null ? Put.absent(tenantId, key, objectId) : put;
    }

    /** Where new copies may go, with what is reserved already. */
    public List<Room> rooms() {
        return List.copyOf(rooms.values());
    }

    public Optional<Place> place(UUID segmentId) {
        return Optional.ofNullable(places.get(segmentId));
    }

    /** Decides, and remembers what has happened. */
    public Decision<PutEvent> apply(Put put, PutCommand command, String subject) {
        Decision<PutEvent> decision = PutDecider.decide(put, command, now);
        switch (decision) {
            case Decision.Accepted<PutEvent>(List<PutEvent> events) ->
                events.forEach(event -> happen(put.objectId(), put, event, subject));
            case Decision.Unchanged<PutEvent>() -> {}
            case Decision.Refused<PutEvent> refused -> {}
        }
        return decision;
    }

    private void happen(String objectId, Put absent, PutEvent event, String subject) {
        Put before = current.getOrDefault(objectId, absent);
        Put after = before.after(event);
        loaded.putIfAbsent(objectId, absent);
        current.put(objectId, after);
        happened.add(new Happened(before, after, event, subject));
        List<Copy> reserved = switch (event) {
            case PutEvent.PutStarted started -> started.copies();
            case PutEvent.CopyPlanned planned -> List.of(planned.copy());
            case PutEvent.PutRevoked e -> List.of();
            case PutEvent.ObjectCommitted e -> List.of();
            case PutEvent.CopyOpened e -> List.of();
            case PutEvent.CopyStored e -> List.of();
            case PutEvent.CopyCommitted e -> List.of();
            case PutEvent.CopyFailed e -> List.of();
            case PutEvent.CopyRetired e -> List.of();
            case PutEvent.TokenClosed e -> List.of();
            case PutEvent.CopyFreed e -> List.of();
        };
        for (Copy copy : reserved) {
            rooms.computeIfPresent(copy.segmentId(), (id, room) -> room.plus(copy.size()));
        }
    }

    /** Everything that has happened, in order. */
    public List<Happened> happened() {
        return List.copyOf(happened);
    }

    /** The objects that differ from what was loaded. */
    public List<Change> changes() {
        List<Change> changes = new ArrayList<>();
        current.forEach((id, after) -> {
            Put before = loaded.getOrDefault(id, after);
            if (!before.equals(after)) {
                changes.add(new Change(before, after));
            }
        });
        return changes;
    }
}
