package io.weighbridge.metadata.object.domain;

import io.weighbridge.ledger.vocabulary.Tier;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Chooses where copies go (spec 2.6): memory first, then local disk; the preferred node first, else weighted by free
 * ratio; distinct nodes always, distinct zones and racks where possible. The same arguments give the same answer.
 */
public final class Allocator {

    /**
     * Until a node has been registered this long its weight is reduced: a fresh, empty one must not take every write.
     */
    static final long RAMP_MILLIS = 600_000;

    /** The weight of a node that has registered just now, relative to what its free ratio would give it. */
    static final double RAMP_START = 0.1;

    private Allocator() {}

    /**
     * @param rooms at most one list of segments of several nodes, any tiers
     * @param copies wanted; fewer are granted where there is no room for more
     * @param preferredNode tried first for the first copy
     * @param entropy random bits that the caller draws
     * @return one room for each copy, possibly none
     */
    public static List<Room> allocate(
            List<Room> rooms, long size, int copies, @Nullable UUID preferredNode, long entropy) {
        List<Room> chosen = new ArrayList<>(copies);
        long bits = entropy;
        for (int i = 0; i < copies; i++) {
            bits = mix(bits);
            UUID preferred = chosen.isEmpty() ? preferredNode : null;
            Optional<Room> next = choose(rooms, size, chosen, preferred, bits);
            if (next.isEmpty()) {
                break;
            }
            chosen.add(next.get());
        }
        return chosen;
    }

    /** Room for one copy on a given node and tier. */
    public static Optional<Room> on(List<Room> rooms, UUID nodeId, Tier tier, long size) {
        return rooms.stream()
                .filter(room -> room.nodeId().equals(nodeId) && room.tier() == tier && room.fits(size))
                .findFirst();
    }

    private static Optional<Room> choose(
            List<Room> rooms, long size, List<Room> chosen, @Nullable UUID preferred, long bits) {
        for (Tier tier : List.of(Tier.MEMORY, Tier.LOCAL_DISK)) {
            List<Room> fitting = rooms.stream()
                    .filter(room -> room.tier() == tier && room.fits(size) && isOnNewNode(room, chosen))
                    .toList();
            if (fitting.isEmpty()) {
                continue;
            }
            Optional<Room> wanted = fitting.stream()
                    .filter(room -> room.nodeId().equals(preferred))
                    .findFirst();
            return wanted.isPresent() ? wanted : Optional.of(weighted(spread(fitting, chosen), bits));
        }
        return Optional.empty();
    }

    private static boolean isOnNewNode(Room room, List<Room> chosen) {
        return chosen.stream().noneMatch(other -> other.nodeId().equals(room.nodeId()));
    }

    /** The rooms in other zones, else in other racks, else all. */
    private static List<Room> spread(List<Room> rooms, List<Room> chosen) {
        List<Room> zones = filter(
                rooms,
                room -> chosen.stream()
                        .noneMatch(other -> room.zone() != null && room.zone().equals(other.zone())));
        List<Room> candidates = zones.isEmpty() ? rooms : zones;
        List<Room> racks = filter(
                candidates,
                room -> chosen.stream()
                        .noneMatch(other -> room.rack() != null && room.rack().equals(other.rack())));
        return racks.isEmpty() ? candidates : racks;
    }

    private static List<Room> filter(List<Room> rooms, Predicate<Room> wanted) {
        return rooms.stream().filter(wanted).toList();
    }

    private static Room weighted(List<Room> rooms, long bits) {
        double total = 0;
        for (Room room : rooms) {
            total += weight(room);
        }
        double point = (bits >>> 11) * 0x1.0p-53 * total;
        for (Room room : rooms) {
            point -= weight(room);
            if (point < 0) {
                return room;
            }
        }
        return rooms.getLast();
    }

    static double weight(Room room) {
        double ramp = RAMP_START + (1 - RAMP_START) * Math.min(1.0, (double) room.nodeAge() / RAMP_MILLIS);
        return room.freeRatio() * ramp;
    }

    /** SplitMix64: spreads the caller's bits anew for each copy. */
    private static long mix(long seed) {
        long z = seed + 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
