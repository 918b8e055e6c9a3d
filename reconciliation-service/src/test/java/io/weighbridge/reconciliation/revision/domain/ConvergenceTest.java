package io.weighbridge.reconciliation.revision.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.weighbridge.ledger.vocabulary.Availability;
import io.weighbridge.ledger.vocabulary.OperationKind;
import io.weighbridge.ledger.vocabulary.Residency;
import io.weighbridge.ledger.vocabulary.Tier;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * From any mixture of states, dead nodes and half-finished work, a quiet period leads to the wanted state in bounded
 * passes, with nothing leaked (reliability, promise 6). Each seed is one history; a failure names its seed.
 */
class ConvergenceTest {

    private static final int SEEDS = Integer.getInteger("weighbridge.simulation.seeds", 3000);
    private static final int CHAOS = 60;
    private static final int QUIET = 120;
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Limits LIMITS = new Limits(
            5, 4 * SimulatedWorld.SIZE, 4, Duration.ofMinutes(15), Duration.ofSeconds(1), Duration.ofSeconds(5));

    private final Planner planner = new Planner(LIMITS);

    @Test
    void everyHistoryEndsWell() {
        for (int seed = 0; seed < SEEDS; seed++) {
            try {
                history(new SimulatedWorld(new SplittableRandom(seed)));
            } catch (AssertionError | RuntimeException e) {
                fail("seed " + seed + ": " + e.getMessage(), e);
            }
        }
    }

    private void history(SimulatedWorld world) {
        for (int i = 0; i < CHAOS; i++) {
            disturb(world);
            world.letTransfersEnd(20);
            Plan plan = planner.plan(world.see(), NOW);
            for (Action action : plan.actions()) {
                if (world.random.nextInt(10) > 0) {
                    world.take(action);
                }
                // An instance dies between reserving a copy and starting it, or a transfer is refused.
                if (action instanceof Action.CopyMember && world.random.nextInt(5) == 0) {
                    world.all()
                            .filter(replica -> replica.transfer)
                            .reduce((_, last) -> last)
                            .ifPresent(replica -> replica.transfer = false);
                }
            }
        }
        settle(world);
        judge(world);
    }

    private void disturb(SimulatedWorld world) {
        RandomGenerator random = world.random;
        switch (random.nextInt(14)) {
            case 0 -> {
                SimulatedWorld.Node node = world.anyNode();
                if (node.alive) {
                    node.alive = false;
                    world.all()
                            .filter(replica -> replica.node.equals(node.id))
                            .forEach(replica -> replica.transfer = false);
                }
            }
            case 1, 2 -> {
                SimulatedWorld.Node node = world.anyNode();
                if (!node.alive) {
                    world.returnOf(node);
                }
            }
            case 3 -> user(world, OperationKind.EVICTING);
            case 4 -> user(world, OperationKind.REHYDRATING);
            case 5 -> user(world, OperationKind.REPAIRING);
            case 6 -> place(world);
            case 7 -> {
                if (world.operation != OperationKind.NONE) {
                    world.end();
                }
            }
            case 8 -> world.leases = world.availability == Availability.READY ? world.leases + 1 : world.leases;
            case 9, 10 -> world.leases = 0;
            case 11 -> {
                if (random.nextInt(12) == 0 && isCommitted(world) && world.operation == OperationKind.NONE) {
                    world.availability = Availability.DELETING;
                    world.generation++;
                }
            }
            default -> {}
        }
    }

    private static boolean isCommitted(SimulatedWorld world) {
        return world.availability == Availability.READY || world.availability == Availability.DEGRADED;
    }

    private static void user(SimulatedWorld world, OperationKind kind) {
        boolean free = world.operation == OperationKind.NONE || world.automatic;
        if (isCommitted(world) && free && (kind != OperationKind.EVICTING || world.leases == 0)) {
            world.start(kind, false);
        }
    }

    private static void place(SimulatedWorld world) {
        if (isCommitted(world) && (world.operation == OperationKind.NONE || world.automatic)) {
            RandomGenerator random = world.random;
            Set<UUID> only = new HashSet<>();
            world.nodes.keySet().forEach(id -> {
                if (random.nextInt(3) > 0) {
                    only.add(id);
                }
            });
            boolean anywhere = only.isEmpty() || random.nextBoolean();
            world.wanted = new Wanted(1 + random.nextInt(3), random.nextInt(3), anywhere ? null : only, Map.of());
            world.operation = OperationKind.NONE;
            world.generation++;
        }
    }

    /** No more disturbances: as many passes as it takes until nothing is planned any more. */
    private void settle(SimulatedWorld world) {
        world.leases = 0;
        world.refusals.clear();
        List<Action> before = List.of();
        for (int pass = 0; pass < QUIET; pass++) {
            Plan plan = planner.plan(world.see(), NOW);
            boolean transfers = world.all().anyMatch(replica -> replica.transfer);
            if (plan.actions().isEmpty() && !transfers) {
                assertThat(world.refusals).as("refused while all was quiet").isEmpty();
                return;
            }
            assertThat(plan.actions().isEmpty() || transfers || !plan.actions().equals(before))
                    .as("the same again: %s", plan.actions())
                    .isTrue();
            before = plan.actions();
            plan.actions().forEach(world::take);
            world.letTransfersEnd(0);
        }
        fail("not settled: " + planner.plan(world.see(), NOW));
    }

    /** What must hold at rest, by the spec's words. */
    private static void judge(SimulatedWorld world) {
        if (world.availability == Availability.DELETING || world.availability == Availability.DELETED) {
            assertThat(world.availability).isEqualTo(Availability.DELETED);
            assertThat(world.all()).isEmpty();
            return;
        }
        world.nodes.values().forEach(node -> {
            assertThat(world.used(node.id, Tier.MEMORY)).isLessThanOrEqualTo(node.memory);
            assertThat(world.used(node.id, Tier.LOCAL_DISK)).isLessThanOrEqualTo(node.disk);
        });
        if (world.operation == OperationKind.NONE) {
            boolean complete = world.members.keySet().stream().allMatch(key -> world.readable(key) > 0);
            assertThat(world.availability == Availability.READY).isEqualTo(complete);
            assertThat(world.residency).isEqualTo(world.seenResidency());
            world.members.keySet().forEach(key -> judgeMember(world, key));
        } else {
            assertThat(world.all().allMatch(replica -> replica.complete))
                    .as("reserved space is leaked")
                    .isTrue();
            assertThat(isImpossible(world))
                    .as("%s ends although it could go on", world.operation)
                    .isTrue();
        }
    }

    private static void judgeMember(SimulatedWorld world, String key) {
        if (world.readable(key) == 0) {
            return;
        }
        boolean hot = world.lastTarget != Residency.COLD;
        boolean enough = world.isPlaced(key);
        assertThat(enough
                        || isFull(world, key, hot ? Tier.MEMORY : Tier.LOCAL_DISK)
                        || isFull(world, key, Tier.LOCAL_DISK))
                .as("%s has too few copies, and there is room", key)
                .isTrue();
        if (hot && enough && world.members.keySet().stream().allMatch(world::isPlaced)) {
            assertThat(world.readable(key, Tier.MEMORY)).isLessThanOrEqualTo(world.wanted.memoryReplicas());
        }
    }

    private static boolean isFull(SimulatedWorld world, String key, Tier tier) {
        return world.nodes.values().stream()
                .filter(node -> node.alive && world.allowed(node.id))
                .filter(node -> world.copies(key).values().stream()
                        .noneMatch(replica -> replica.node.equals(node.id) && replica.tier == tier))
                .noneMatch(node -> world.free(node.id, tier) >= SimulatedWorld.SIZE);
    }

    /** An operation may stay only for a member that has no source, or no room to go to. */
    private static boolean isImpossible(SimulatedWorld world) {
        return world.members.keySet().stream().anyMatch(key -> {
            if (world.readable(key) == 0) {
                return true;
            }
            boolean lacking = switch (world.operation) {
                case EVICTING -> world.readable(key, Tier.LOCAL_DISK) == 0;
                case REHYDRATING -> world.readable(key, Tier.MEMORY) == 0;
                case REPAIRING -> !world.isPlaced(key);
                case NONE -> false;
            };
            return lacking && (isFull(world, key, Tier.MEMORY) || isFull(world, key, Tier.LOCAL_DISK));
        });
    }
}
