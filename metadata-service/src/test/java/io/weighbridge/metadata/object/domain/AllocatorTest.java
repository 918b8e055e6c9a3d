package io.weighbridge.metadata.object.domain;

import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.ledger.vocabulary.Tier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Where copies go (spec 2.6). */
class AllocatorTest {

    private static final int DRAWS = 20_000;

    private static Room room(long node, Tier tier, long free, @Nullable String zone, @Nullable String rack, long age) {
        return new Room(
                new UUID(10 + tier.ordinal(), node),
                node(node),
                "http://n",
                tier,
                1,
                1000,
                1000 - free,
                zone,
                rack,
                age);
    }

    private static Room memory(long node, long free) {
        return room(node, Tier.MEMORY, free, null, null, Allocator.RAMP_MILLIS);
    }

    private static UUID node(long number) {
        return new UUID(1, number);
    }

    private static Map<UUID, Integer> draws(List<Room> rooms) {
        Map<UUID, Integer> counts = new HashMap<>();
        for (int i = 0; i < DRAWS; i++) {
            Room room = Allocator.allocate(rooms, 1, 1, null, i).getFirst();
            counts.merge(room.nodeId(), 1, Integer::sum);
        }
        return counts;
    }

    @Test
    void theSameBitsGiveTheSameRooms() {
        List<Room> rooms = List.of(memory(1, 500), memory(2, 500), memory(3, 500));
        assertThat(Allocator.allocate(rooms, 10, 2, null, 42)).isEqualTo(Allocator.allocate(rooms, 10, 2, null, 42));
    }

    @Test
    void copiesAreOnDistinctNodesThenZonesThenRacks() {
        long age = Allocator.RAMP_MILLIS;
        List<Room> rooms = List.of(
                room(1, Tier.MEMORY, 900, "a", "a1", age),
                room(2, Tier.MEMORY, 900, "a", "a2", age),
                room(3, Tier.MEMORY, 900, "a", "a2", age),
                room(4, Tier.MEMORY, 10, "b", "b1", age));
        for (long bits = 0; bits < 200; bits++) {
            List<Room> two = Allocator.allocate(rooms, 5, 2, null, bits);
            assertThat(two.stream().map(Room::zone)).containsExactlyInAnyOrder("a", "b");
            List<Room> three = Allocator.allocate(rooms, 5, 3, null, bits);
            assertThat(three.stream().map(Room::rack).distinct()).hasSize(3);
            assertThat(Allocator.allocate(rooms, 5, 9, null, bits).stream()
                            .map(Room::nodeId)
                            .distinct())
                    .as("fewer than asked is success")
                    .hasSize(4);
        }
    }

    @Test
    void thePreferredNodeIsFirstWhileItHasRoom() {
        List<Room> rooms = List.of(memory(1, 1000), memory(2, 20), memory(3, 1000));
        assertThat(Allocator.allocate(rooms, 20, 2, node(2), 7).getFirst().nodeId())
                .isEqualTo(node(2));
        assertThat(Allocator.allocate(rooms, 21, 2, node(2), 7))
                .noneMatch(room -> room.nodeId().equals(node(2)));
    }

    @Test
    void memoryComesFirstAndDiskTakesTheRest() {
        Room disk = room(1, Tier.LOCAL_DISK, 1000, null, null, Allocator.RAMP_MILLIS);
        List<Room> rooms = List.of(disk, memory(1, 10), memory(2, 5));
        assertThat(Allocator.allocate(rooms, 5, 1, null, 1).getFirst().tier()).isEqualTo(Tier.MEMORY);
        assertThat(Allocator.allocate(rooms, 50, 1, null, 1)).containsExactly(disk);
        assertThat(Allocator.allocate(rooms, 2000, 1, null, 1)).isEmpty();
        List<Room> mixed = Allocator.allocate(List.of(disk, memory(2, 500)), 100, 2, null, 1);
        assertThat(mixed).extracting(Room::tier).containsExactly(Tier.MEMORY, Tier.LOCAL_DISK);
    }

    @Test
    void otherTiersAreForOperationsOnly() {
        List<Room> rooms = new ArrayList<>();
        for (Tier tier : List.of(Tier.DFS, Tier.NOF, Tier.OBJECT_STORE)) {
            rooms.add(room(tier.ordinal(), tier, 1000, null, null, 0));
        }
        assertThat(Allocator.allocate(rooms, 1, 1, null, 0)).isEmpty();
        assertThat(Allocator.on(rooms, node(Tier.DFS.ordinal()), Tier.DFS, 10)).isPresent();
        assertThat(Allocator.on(rooms, node(Tier.DFS.ordinal()), Tier.DFS, 1001))
                .isEmpty();
    }

    @Test
    void emptierNodesTakeMore() {
        Map<UUID, Integer> counts = draws(List.of(memory(1, 900), memory(2, 300)));
        assertThat(counts.getOrDefault(node(1), 0) / (double) DRAWS).isBetween(0.73, 0.77);
    }

    @Test
    void aFreshEmptyNodeDoesNotTakeEveryWrite() {
        List<Room> rooms =
                List.of(memory(1, 100), memory(2, 100), memory(3, 100), room(4, Tier.MEMORY, 1000, null, null, 0));
        // 3 x 0.1 against 1.0 x 0.1: a quarter, where free space alone would send it 77 of 100.
        assertThat(draws(rooms).getOrDefault(node(4), 0) / (double) DRAWS).isBetween(0.23, 0.27);
        Room later = room(4, Tier.MEMORY, 1000, null, null, Allocator.RAMP_MILLIS / 2);
        assertThat(Allocator.weight(later)).isGreaterThan(Allocator.weight(rooms.get(3)));
    }
}
