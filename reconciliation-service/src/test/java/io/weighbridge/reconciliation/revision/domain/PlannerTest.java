package io.weighbridge.reconciliation.revision.domain;

import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.ledger.vocabulary.Availability;
import io.weighbridge.ledger.vocabulary.OperationKind;
import io.weighbridge.ledger.vocabulary.Residency;
import io.weighbridge.ledger.vocabulary.Tier;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The rules of spec 1.8, row by row. The notation is {@link Scene}'s. */
class PlannerTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Limits LIMITS = Limits.DEFAULT;

    /** row | operation | wanted (memory cold nodes) | members | nodes | what is done; look again */
    private static final String TABLE = """
            READY HOT      | -           | 1 0   | p: M@a, manifest: M@a           | a b   | nothing; never
            READY HOT      | -           | 1 0   | p: M@a, manifest: D@a           | a b   | observe; now
            READY HOT      | -           | 1 0   | p: M!@a, manifest: M@b          | a! b  | observe; now
            DEGRADED MIXED | -           | 1 0   | p: M!@a, manifest: M@b          | a! b  | nothing; never
            DEGRADED MIXED | -           | 1 0   | p: M@a, manifest: M@a           | a b   | observe; now
            DEGRADED ABSENT| -           | 1 0   | p: M!@a, manifest: M!@a         | a! b  | nothing; never
            READY MIXED    | -           | 1 0   | p: M!@a D@b, manifest: M@b      | a! b  | repair; now
            READY MIXED    | -           | 1 0   | p: M!@a D@b, manifest: M@b      | a! b(m0) | nothing; never
            READY HOT      | -           | 2 0   | p: M@a, manifest: M@a           | a b   | repair; now
            READY HOT      | -           | 2 0   | p: M@a, manifest: M@a           | a b?  | nothing; never
            READY HOT      | -           | 2 0   | p: M@a, manifest: M@a           | a     | nothing; never
            READY HOT      | -           | 1 1   | p: M@a, manifest: M@a           | a     | repair; now
            READY HOT      | -           | 1 0   | p: M@a M@b, manifest: M@a       | a b   | repair; now
            READY HOT      | -           | 1 0   | p: M@a D@a, manifest: M@a D@b   | a b   | nothing; never
            READY HOT      | -           | 1 0 b | p: M@a, manifest: M@a           | a b   | repair; now
            READY HOT      | -           | 1 0 b | p: M@a, manifest: M@a           | a b!  | nothing; never
            READY HOT      | -           | 1 0   | p: M@a, manifest: M@a           | a(md) b | repair; now
            READY HOT      | -           | 1 0   | p: M@a M!@b, manifest: M@a      | a b!  | nothing; never
            READY HOT      | -           | 2 0   | p: M@a M~@b, manifest: M@a M@b  | a b   | nothing; moving
            READY COLD     | -           | 1 0   | p: D@a, manifest: D@a           | a b   | nothing; never
            READY COLD     | -           | 1 0   | p: D@a D!@b, manifest: D@a      | a b!  | nothing; never
            READY COLD     | -           | 1 2   | p: D@a, manifest: D@a D@b       | a b   | repair; now
            READY HOT      | EVICTING    | 1 0   | p: M@a, manifest: M@a           | a b   | copy manifest D@a, copy p D@a; moving
            READY HOT      | EVICTING    | 1 0   | p: M@b, manifest: M@b           | a b(d0) | copy manifest D@a, copy p D@a; moving
            READY HOT      | EVICTING    | 1 2   | p: M@a, manifest: M@a D@a       | a b   | copy manifest D@b, copy p D@a, copy p D@b; moving
            READY HOT      | EVICTING    | 1 0   | p: M@a D~@a, manifest: M@a D@b  | a b   | retire manifest M@a EVICTED; moving
            READY HOT      | EVICTING    | 1 0   | p: M@a D@b, manifest: M@a D@b   | a b   | retire p M@a EVICTED, retire manifest M@a EVICTED; now
            READY HOT      | EVICTING    | 1 0   | p: M@a, manifest: M@a D@b       | a(d0) b(d0) | retire manifest M@a EVICTED; now
            READY HOT      | EVICTING    | 1 0   | p: M@a, manifest: M@a           | a(d0) | nothing; stuck
            READY HOT      | EVICTING    | 1 0   | p: M@a M!@b D@a, manifest: D@a  | a b!  | retire p M@a EVICTED, retire p M@b LOST, progress 1 manifest; now
            READY HOT      | EVICTING    | 1 2   | p: M@a D@a, manifest: D@a       | a     | retire p M@a EVICTED, progress 1 manifest; now
            READY HOT      | EVICTING    | 1 0   | p: M@a Dx@a, manifest: D@a      | a     | retire p D@a ABANDONED, progress 1 manifest; now
            READY MIXED    | EVICTING    | 1 0   | p: D@a, manifest: D@a           | a     | finish 2; now
            READY COLD     | REHYDRATING | 1 0   | p: D@a, manifest: D@a           | a b   | copy manifest M@a, copy p M@a; moving
            READY COLD     | REHYDRATING | 1 0   | p: D@a, manifest: D@a           | a(m0) b | copy manifest M@b, copy p M@b; moving
            READY COLD     | REHYDRATING | 1 0 b | p: D@a, manifest: D@a           | a b   | copy manifest M@b, copy p M@b; moving
            READY COLD     | REHYDRATING | 2 0   | p: D@a, manifest: D@a M@a M@b   | a b   | copy p M@a, copy p M@b, progress 1 manifest; moving
            READY COLD     | REHYDRATING | 1 0   | p: D@a M~@a, manifest: D@a M@a  | a     | progress 1 manifest; moving
            READY COLD     | REHYDRATING | 1 0   | p: D@a Mx@a, manifest: D@a M@a  | a b   | retire p M@a ABANDONED, copy p M@b, progress 1 manifest; moving
            READY COLD     | REHYDRATING | 1 0   | p: D@a M@a, manifest: D@a M@b   | a b   | finish 2; now
            READY COLD     | REHYDRATING | 2 0   | p: D@a M@a, manifest: D@a M@a   | a     | finish 2; now
            READY COLD     | REHYDRATING | 1 0   | p: D@a, manifest: D@a           | a(m0) | nothing; stuck
            DEGRADED MIXED | REHYDRATING | 1 0   | p: D!@b, manifest: M@a          | a b!  | progress 1 manifest; stuck
            READY HOT      | REPAIRING   | 2 0   | p: M@a, manifest: M@a           | a b   | copy manifest M@b, copy p M@b; moving
            READY HOT      | REPAIRING   | 2 1   | p: M@a, manifest: M@a M@b D@a   | a b   | copy p M@b, copy p D@a, progress 1 manifest; moving
            READY HOT      | REPAIRING   | 1 0   | p: M!@a M@b, manifest: M@b      | a! b  | retire p M@a LOST, progress 2 p; now
            READY HOT      | REPAIRING   | 2 0   | p: M!@a M@b, manifest: M@b      | a! b c | copy manifest M@c, copy p M@c; moving
            READY HOT      | REPAIRING   | 1 0   | p: M?@a M@b, manifest: M@b      | a b   | finish 2; now
            READY HOT      | REPAIRING   | 1 0   | p: M@a M@b, manifest: M@b       | a(m0) b | retire p M@a SURPLUS, progress 2 p; now
            READY HOT      | REPAIRING   | 1 1   | p: M@a D@a D@b, manifest: M@b D@b | a(d0) b | retire p D@a SURPLUS, progress 2 p; now
            READY HOT      | REPAIRING   | 1 0 b | p: M@a, manifest: M@a           | a b   | copy manifest M@b, copy p M@b; moving
            READY HOT      | REPAIRING   | 1 0 b | p: M@a M~@b, manifest: M@a M@b  | a b   | retire manifest M@a ELSEWHERE, progress 1 manifest; moving
            READY HOT      | REPAIRING   | 1 0 b | p: M@a M@b, manifest: M@b       | a b   | retire p M@a ELSEWHERE, progress 2 p; now
            READY HOT      | REPAIRING   | 1 0 b | p: M@a, manifest: M@a           | a b!  | nothing; stuck
            READY HOT      | REPAIRING   | 1 0   | p: M@a, manifest: M@a           | a b   | finish 2; now
            READY HOT      | REPAIRING*  | 1 0   | p: M!@a, manifest: M@b          | a! b  | observe; now
            DEGRADED MIXED | REPAIRING*  | 1 0   | p: M!@a, manifest: M@b          | a! b  | progress 1 manifest; stuck
            READY HOT      | REPAIRING   | 1 0   | p: M!@a, manifest: M@b          | a! b  | observe; now
            DELETING HOT   | -           | 1 0   | p: M@a D!@b, q: M~@a, manifest: M@a | a b! | retire p M@a DELETED, retire p D@b DELETED, retire q M@a DELETED; now
            DELETING HOT   | -           | 1 0   | p:, q:, manifest: M@a Dx@b      | a b   | retire manifest M@a DELETED, retire manifest D@b DELETED; now
            DELETING HOT   | -           | 1 0   | p:, manifest:                   | a b   | finish-delete; now
            DELETING HOT 1 | -           | 1 0   | p: M@a, manifest: M@a           | a b   | nothing; stuck
            DELETED ABSENT | -           | 1 0   | p:, manifest:                   | a b   | nothing; never
            IMPORTING UNKNOWN | -        | 1 0   | p: M@a                          | a b   | nothing; heartbeat
            """;

    @ParameterizedTest
    @MethodSource("rows")
    void everyRow(String row) {
        String[] cells = row.split("\\|");
        Scene scene = scene(cells);

        Plan plan = new Planner(LIMITS).plan(scene.situation(), NOW);

        String[] expected = cells[5].strip().split("; ");
        List<String> actions = expected[0].equals("nothing") ? List.of() : List.of(expected[0].split(", "));
        assertThat(new Words(scene).describe(plan.actions())).containsExactlyInAnyOrderElementsOf(actions);
        Instant again = plan.lookAgainAt();
        switch (expected[1]) {
            case "never" -> assertThat(again).isNull();
            case "now" -> assertThat(again).isEqualTo(NOW);
            case "moving" -> assertThat(again).isEqualTo(NOW.plus(LIMITS.lookAgainMoving()));
            case "stuck" -> assertThat(again).isEqualTo(NOW.plus(LIMITS.lookAgainStuck()));
            case "heartbeat" ->
                assertThat(again).isEqualTo(NOW.plus(LIMITS.abandonAfter()).minusSeconds(10));
            default -> throw new IllegalArgumentException(expected[1]);
        }
    }

    static Stream<String> rows() {
        return TABLE.lines();
    }

    private static Scene scene(String[] cells) {
        Scene scene = new Scene();
        String[] row = cells[0].strip().split(" ");
        scene.availability = Availability.valueOf(row[0]);
        scene.residency = Residency.valueOf(row[1]);
        scene.leases = row.length > 2 ? Long.parseLong(row[2]) : 0;
        scene.heartbeatAge = Duration.ofSeconds(10);
        String operation = cells[1].strip();
        scene.automatic = operation.endsWith("*");
        scene.operation =
                operation.equals("-") ? OperationKind.NONE : OperationKind.valueOf(operation.replace("*", ""));
        scene.lastTarget = scene.residency == Residency.COLD ? Residency.COLD : Residency.HOT;
        String[] wanted = cells[2].strip().split(" ");
        String[] nodes = wanted.length > 2 ? new String[] {wanted[2]} : new String[0];
        return scene.want(Integer.parseInt(wanted[0]), Integer.parseInt(wanted[1]), nodes)
                .members(order(cells[3]))
                .nodes(cells[4]);
    }

    /** As the reader of situations does: by key. */
    private static String order(String members) {
        return String.join(
                ",", Stream.of(members.split(",")).map(String::strip).sorted().toList());
    }

    @Test
    void anImportIsAbortedAtTheAgeOfItsHeartbeat() {
        Scene scene = new Scene().members("p: M@a").nodes("a");
        scene.availability = Availability.IMPORTING;
        scene.residency = Residency.UNKNOWN;
        scene.heartbeatAge = LIMITS.abandonAfter();

        assertThat(new Planner(LIMITS).plan(scene.situation(), NOW).actions())
                .containsExactly(new Action.AbortImport(scene.generation, LIMITS.abandonAfter()));

        scene.heartbeatAge = LIMITS.abandonAfter().minusMillis(1);
        assertThat(new Planner(LIMITS).plan(scene.situation(), NOW).actions()).isEmpty();
    }

    @Test
    void copiesOfTheUploadBeyondThePlacementStay() {
        Scene scene =
                new Scene().want(1, 0).members("manifest: M@a M@b, p: M@a M@b").nodes("a b");
        scene.generation = 2;

        assertThat(new Planner(LIMITS).plan(scene.situation(), NOW).isSettled()).isTrue();
    }

    @Test
    void copiesPerPassAreBounded() {
        Limits three = new Limits(3, 1 << 20, 10, Duration.ofMinutes(1), Duration.ofSeconds(1), Duration.ofSeconds(5));
        Scene scene = new Scene()
                .members("manifest: M@a, p1: M@a D~@a, p2: M@a, p3: M@a, p4: M@a")
                .nodes("a b");
        scene.operation = OperationKind.EVICTING;

        Plan plan = new Planner(three).plan(scene.situation(), NOW);

        assertThat(plan.actions()).hasSize(2).allMatch(Action.CopyMember.class::isInstance);
        assertThat(plan.lookAgainAt()).isEqualTo(NOW.plusSeconds(1));
    }

    @Test
    void bytesOnTheirWayToOneNodeAreBounded() {
        Limits two = new Limits(
                100, 2 * Scene.SIZE, 10, Duration.ofMinutes(1), Duration.ofSeconds(1), Duration.ofSeconds(5));
        Scene scene = new Scene()
                .members("manifest: M@a, p1: M@a, p2: M@a, p3: M@a, p4: M@a")
                .nodes("a b");
        scene.operation = OperationKind.EVICTING;

        List<Action> actions = new Planner(two).plan(scene.situation(), NOW).actions();

        Map<UUID, Integer> perNode = new HashMap<>();
        actions.forEach(action -> perNode.merge(((Action.CopyMember) action).nodeId(), 1, Integer::sum));
        assertThat(perNode).isEqualTo(Map.of(Scene.node("a"), 2, Scene.node("b"), 2));
    }

    @Test
    void copiesNeverExceedARoom() {
        Scene scene = new Scene();
        StringBuilder members = new StringBuilder("manifest: D@a");
        for (int i = 10; i < 40; i++) {
            members.append(", p").append(i).append(": D@a");
        }
        scene.members(members.toString()).nodes("b c");
        scene.operation = OperationKind.REHYDRATING;
        scene.residency = Residency.COLD;

        List<Action> actions = new Planner(LIMITS).plan(scene.situation(), NOW).actions();

        Map<UUID, Integer> perNode = new HashMap<>();
        actions.stream()
                .filter(Action.CopyMember.class::isInstance)
                .forEach(action -> perNode.merge(((Action.CopyMember) action).nodeId(), 1, Integer::sum));
        assertThat(perNode).isEqualTo(Map.of(Scene.node("b"), 10, Scene.node("c"), 10));
    }

    @Test
    void copiesGoToAnotherZone() {
        Scene scene = new Scene().want(2, 0).members("manifest: M@a, p: M@a").nodes("a(z1) b(z1) c(z2)(m0) d(z2)");
        scene.operation = OperationKind.REPAIRING;

        assertThat(new Words(scene)
                        .describe(
                                new Planner(LIMITS).plan(scene.situation(), NOW).actions()))
                .containsExactlyInAnyOrder("copy manifest M@d", "copy p M@d");
    }

    @Test
    void nodesThatFailedLatelyRest() {
        Scene scene = new Scene().want(2, 0).members("manifest: M@a, p: M@a").nodes("a b c");
        scene.operation = OperationKind.REPAIRING;
        scene.shunned.add(Scene.node("b"));

        assertThat(new Words(scene)
                        .describe(
                                new Planner(LIMITS).plan(scene.situation(), NOW).actions()))
                .containsExactlyInAnyOrder("copy manifest M@c", "copy p M@c");
    }

    @Test
    void sourcesAreLocalFirstThenMemoryAndOnlyReadable() {
        Scene scene = new Scene().members("p: M@b D@a M!@c D@d").nodes("a b");

        assertThat(scene.members.getFirst().sourcesFor(Scene.node("a")))
                .containsExactly(Scene.copy("p", "D@a"), Scene.copy("p", "M@b"), Scene.copy("p", "D@d"));
    }

    /** Says actions in the words of the table. */
    private record Words(Scene scene) {

        List<String> describe(List<Action> actions) {
            List<String> words = new ArrayList<>();
            for (Action action : actions) {
                switch (action) {
                    case Action.CopyMember(String key, List<UUID> sources, Tier tier, UUID nodeId) -> {
                        assertThat(sources).isNotEmpty();
                        words.add("copy " + key + " " + (tier.isHot() ? "M" : "D") + "@" + name(nodeId));
                    }
                    case Action.RetireReplicas(List<UUID> ids, Action.Reason reason) ->
                        ids.forEach(id -> words.add("retire " + copyName(id) + " " + reason));
                    case Action.ReportProgress(long processed, String cursor) ->
                        words.add("progress " + processed + " " + cursor);
                    case Action.Finish(long processed, String _) -> words.add("finish " + processed);
                    case Action.FinishDelete() -> words.add("finish-delete");
                    case Action.Observe() -> words.add("observe");
                    case Action.StartRepair(long _) -> words.add("repair");
                    case Action.AbortImport(long _, Duration _) -> words.add("abort");
                }
            }
            return words;
        }

        private String name(UUID nodeId) {
            return Stream.of("a", "b", "c", "d")
                    .filter(name -> Scene.node(name).equals(nodeId))
                    .findFirst()
                    .orElseThrow();
        }

        private String copyName(UUID id) {
            for (Member member : scene.members) {
                for (Copy copy : member.copies()) {
                    if (copy.replicaId().equals(id)) {
                        return member.key() + " " + (copy.isHot() ? "M" : "D") + "@" + name(copy.nodeId());
                    }
                }
            }
            throw new IllegalArgumentException("no copy " + id);
        }
    }
}
