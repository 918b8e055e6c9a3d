package io.weighbridge.lease.revisionlease.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weighbridge.lease.revisionlease.domain.LeaseCommand.Acquire;
import io.weighbridge.lease.revisionlease.domain.LeaseCommand.Renew;
import io.weighbridge.lease.revisionlease.domain.LeaseCommand.Return;
import io.weighbridge.lease.revisionlease.domain.LeaseState.Lease;
import io.weighbridge.lease.revisionlease.domain.LeaseState.Revision;
import io.weighbridge.ledger.decision.Decision;
import io.weighbridge.ledger.identity.Fence;
import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.identity.Validation;
import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.ledger.token.Secret;
import io.weighbridge.ledger.vocabulary.Availability;
import io.weighbridge.ledger.vocabulary.OperationKind;
import io.weighbridge.testkit.MachineTable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The rows of spec 1.5 for revision leases, every cell of them. */
class LeaseDeciderTest {

    private static final List<String> REVISIONS = List.of(
            "none",
            "foreign",
            "IMPORTING",
            "READY",
            "EVICTING",
            "REHYDRATING",
            "REPAIRING",
            "DEGRADED",
            "DEGRADED+EVICTING",
            "DELETING",
            "DRAINED",
            "DELETED");
    private static final List<String> FENCES = List.of("current", "older", "newer", "any");
    private static final List<String> HELD = List.of("none", "live", "another's", "expired", "another's expired");
    private static final List<String> LEASES = List.of("none", "foreign", "live", "expired");
    private static final List<String> TOKENS = List.of("right", "wrong");

    static final MachineTable TABLE = MachineTable.of("lease", "Revision leases", "spec 1.5", """
            | command | revision                           | fence        | lease                      | token         | outcome           |
            | Acquire | none, foreign                      | *            | *                          | -             | NOT_FOUND         |
            | Acquire | *                                  | older, newer | *                          | -             | STALE_GENERATION  |
            | Acquire | IMPORTING, DEGRADED                | *            | *                          | -             | NOT_READY         |
            | Acquire | DEGRADED+EVICTING                  | *            | *                          | -             | NOT_READY         |
            | Acquire | DELETING, DRAINED, DELETED         | *            | *                          | -             | NOT_READY         |
            | Acquire | EVICTING                           | *            | *                          | -             | BUSY              |
            | Acquire | READY, REHYDRATING, REPAIRING      | *            | none                       | -             | granted           |
            | Acquire | READY, REHYDRATING, REPAIRING      | *            | live                       | -             | reissued          |
            | Acquire | READY, REHYDRATING, REPAIRING      | *            | another's                  | -             | CONFLICT          |
            | Acquire | READY, REHYDRATING, REPAIRING      | *            | expired, another's expired | -             | granted, replaces |
            | Renew   | *                                  | -            | none, foreign              | *             | NOT_FOUND         |
            | Renew   | *                                  | -            | *                          | wrong         | PERMISSION_DENIED |
            | Renew   | *                                  | -            | expired                    | right         | LEASE_EXPIRED     |
            | Renew   | none, DRAINED, DELETED             | -            | live                       | right         | NOT_READY         |
            | Renew   | *                                  | -            | live                       | right         | renewed           |
            | Return  | -                                  | -            | none                       | *             | success           |
            | Return  | -                                  | -            | foreign                    | *             | NOT_FOUND         |
            | Return  | -                                  | -            | *                          | right         | returned          |
            | Return  | -                                  | -            | *                          | wrong, absent | PERMISSION_DENIED |
            | Return  | -                                  | -            | *                          | administrator | returned          |
            """);

    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00.500Z");
    private static final RevisionId REVISION = new RevisionId("ab".repeat(32));
    private static final long GENERATION = 5;
    private static final String TOKEN_HASH = Secret.hash("the lease's token");
    private static final UUID LEASE = new UUID(7, 7);
    private static final UUID NEW_LEASE = new UUID(8, 8);
    private static final Duration TTL = Duration.ofMinutes(1);

    /** One point of the space, and what the table says about it. */
    record Case(int row, String command, String revision, String fence, String lease, String token, String outcome) {}

    static Stream<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (String lease : HELD) {
            for (String revision : REVISIONS) {
                FENCES.forEach(fence -> cases.add(told("Acquire", revision, fence, lease, "-")));
            }
        }
        for (String lease : LEASES) {
            for (String revision : REVISIONS) {
                TOKENS.forEach(token -> cases.add(told("Renew", revision, "-", lease, token)));
            }
            Stream.of("right", "wrong", "absent", "administrator")
                    .forEach(token -> cases.add(told("Return", "-", "-", lease, token)));
        }
        return cases.stream();
    }

    /** The first row that fits decides. */
    private static Case told(String command, String revision, String fence, String lease, String token) {
        MachineTable.Row row = TABLE.rows()
                .filter(r -> r.get("command").equals(command)
                        && fits(r.get("revision"), revision)
                        && fits(r.get("fence"), fence)
                        && fits(r.get("lease"), lease)
                        && fits(r.get("token"), token))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no row for " + command + " " + revision + " " + lease));
        return new Case(row.number(), command, revision, fence, lease, token, row.get("outcome"));
    }

    private static boolean fits(String cell, String value) {
        return cell.equals("*") || Arrays.asList(cell.split(", ")).contains(value);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void decidesAsTheTableSays(Case at) {
        LeaseState state = new LeaseState(revision(at.revision()), lease(at.lease()));
        Decision<LeaseEvent> decision = LeaseDecider.decide(state, command(at), NOW);
        switch (decision) {
            case Decision.Refused<LeaseEvent>(Problem problem) -> {
                assertThat(problem.code().name()).isEqualTo(at.outcome());
                if (at.outcome().equals("STALE_GENERATION")) {
                    assertThat(problem.currentGeneration()).isEqualTo(GENERATION);
                }
            }
            case Decision.Unchanged<LeaseEvent>() -> assertThat("success").isEqualTo(at.outcome());
            case Decision.Accepted<LeaseEvent>(List<LeaseEvent> events) -> {
                assertThat(events).hasSize(1);
                assertThat(outcome(events.getFirst())).isEqualTo(at.outcome());
                check(events.getFirst(), state, at);
            }
        }
    }

    private static String outcome(LeaseEvent event) {
        return switch (event) {
            case LeaseEvent.Granted granted -> granted.replaced() == null ? "granted" : "granted, replaces";
            case LeaseEvent.Reissued reissued -> "reissued";
            case LeaseEvent.Renewed renewed -> "renewed";
            case LeaseEvent.Returned returned -> "returned";
        };
    }

    private static void check(LeaseEvent event, LeaseState state, Case at) {
        Lease before = state.lease();
        Lease after = event.after();
        switch (event) {
            case LeaseEvent.Granted(Lease lease, Lease replaced) -> {
                assertThat(lease)
                        .isEqualTo(new Lease(
                                NEW_LEASE,
                                REVISION,
                                "acme",
                                "rank-0",
                                Secret.hash("a new token"),
                                "alice",
                                GENERATION,
                                1,
                                NOW,
                                NOW.plus(TTL)));
                assertThat(replaced).isEqualTo(before);
            }
            case LeaseEvent.Reissued(Lease lease) -> {
                assertThat(lease.leaseId()).isEqualTo(LEASE);
                assertThat(lease.tokenHash()).isEqualTo(Secret.hash("a new token"));
                assertThat(lease.version()).isEqualTo(4);
                assertThat(lease.fencedGeneration()).isEqualTo(3);
                assertThat(lease.expiresAt()).isEqualTo(NOW.plus(TTL));
            }
            case LeaseEvent.Renewed(Lease lease) -> {
                assertThat(lease.expiresAt()).isEqualTo(NOW.plus(TTL));
                assertThat(lease.version()).isEqualTo(3);
                assertThat(lease.tokenHash()).isEqualTo(TOKEN_HASH);
            }
            case LeaseEvent.Returned(Lease lease, LeaseEvent.Cause cause) -> {
                assertThat(after).isNull();
                assertThat(lease).isEqualTo(before);
                assertThat(cause)
                        .isEqualTo(
                                at.token().equals("administrator")
                                        ? LeaseEvent.Cause.ADMINISTRATOR
                                        : LeaseEvent.Cause.HOLDER);
            }
        }
    }

    private static LeaseCommand command(Case at) {
        return switch (at.command()) {
            case "Acquire" -> acquire(fence(at.fence()), TTL);
            case "Renew" -> new Renew("acme", LEASE, hash(at.token()), TTL);
            default ->
                new Return(
                        "acme",
                        LEASE,
                        at.token().equals("absent") || at.token().equals("administrator") ? null : hash(at.token()),
                        at.token().equals("administrator"),
                        "alice");
        };
    }

    private static Acquire acquire(Fence fence, Duration ttl) {
        return new Acquire("acme", REVISION, fence, "rank-0", ttl, "alice", NEW_LEASE, Secret.hash("a new token"));
    }

    private static String hash(String token) {
        return token.equals("right") ? TOKEN_HASH : Secret.hash("another token");
    }

    private static Fence fence(String name) {
        return switch (name) {
            case "current" -> Fence.exactly(GENERATION);
            case "older" -> Fence.exactly(GENERATION - 1);
            case "newer" -> Fence.exactly(GENERATION + 1);
            default -> new Fence.Any();
        };
    }

    private static @Nullable Revision revision(String name) {
        Instant later = NOW.plusMillis(1);
        return switch (name) {
            case "none", "-" -> null;
            case "foreign" -> new Revision(REVISION, "other", GENERATION, Availability.READY, OperationKind.NONE, null);
            case "EVICTING", "REHYDRATING", "REPAIRING" -> ready(OperationKind.valueOf(name));
            case "DEGRADED+EVICTING" ->
                new Revision(REVISION, "acme", GENERATION, Availability.DEGRADED, OperationKind.EVICTING, null);
            case "DELETING" ->
                new Revision(REVISION, "acme", GENERATION, Availability.DELETING, OperationKind.NONE, later);
            // The instant of the deadline counts as past it.
            case "DRAINED" ->
                new Revision(REVISION, "acme", GENERATION, Availability.DELETING, OperationKind.NONE, NOW);
            default -> new Revision(REVISION, "acme", GENERATION, Availability.valueOf(name), OperationKind.NONE, null);
        };
    }

    private static Revision ready(OperationKind operation) {
        return new Revision(REVISION, "acme", GENERATION, Availability.READY, operation, null);
    }

    private static @Nullable Lease lease(String name) {
        return switch (name) {
            case "none" -> null;
            case "foreign" -> lease("other", "alice", NOW.plusMillis(1));
            case "live" -> lease("acme", "alice", NOW.plusMillis(1));
            case "another's" -> lease("acme", "bob", NOW.plusMillis(1));
            // The instant of expiry counts as expired.
            case "expired" -> lease("acme", "alice", NOW);
            case "another's expired" -> lease("acme", "bob", NOW);
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static Lease lease(String tenant, String subject, Instant expiresAt) {
        return new Lease(LEASE, REVISION, tenant, "rank-0", TOKEN_HASH, subject, 3, 3, NOW.minusSeconds(60), expiresAt);
    }

    @Test
    void everyRowDecidesSomething() {
        List<Integer> used = cases().map(Case::row).distinct().toList();
        assertThat(TABLE.rows().map(MachineTable.Row::number)).containsExactlyInAnyOrderElementsOf(used);
    }

    @Test
    void theMachineIsDocumented() {
        TABLE.assertDocumented();
    }

    @Test
    void neitherRenewingNorAcquiringAgainShortensALease() {
        Lease longer = lease("acme", "alice", NOW.plus(TTL).plusMillis(1));
        LeaseState state = new LeaseState(ready(OperationKind.NONE), longer);
        assertThat(LeaseDecider.decide(state, new Renew("acme", LEASE, TOKEN_HASH, TTL), NOW))
                .isEqualTo(Decision.unchanged());
        assertThat(LeaseDecider.decide(state, acquire(new Fence.Any(), TTL), NOW))
                .isEqualTo(Decision.accepted(
                        new LeaseEvent.Reissued(longer.reissued(Secret.hash("a new token"), longer.expiresAt()))));
    }

    @Test
    void servicesActAcrossTenants() {
        LeaseState state = new LeaseState(ready(OperationKind.NONE), lease("live"));
        assertThat(LeaseDecider.decide(state, new Renew(null, LEASE, TOKEN_HASH, TTL), NOW))
                .isInstanceOf(Decision.Accepted.class);
        assertThat(LeaseDecider.decide(state, new Return(null, LEASE, null, true, "service/x"), NOW))
                .isInstanceOf(Decision.Accepted.class);
    }

    @Test
    void aLeaseOutOfVersionsGetsNoOtherToken() {
        Lease last = new Lease(
                LEASE,
                REVISION,
                "acme",
                "rank-0",
                TOKEN_HASH,
                "alice",
                3,
                Validation.COUNTER_MAX,
                NOW,
                NOW.plusSeconds(1));
        assertThat(LeaseDecider.decide(
                        new LeaseState(ready(OperationKind.NONE), last), acquire(new Fence.Any(), TTL), NOW))
                .isEqualTo(Decision.refused(LeaseRefusal.VERSION_EXHAUSTED.problem()));
    }

    @Test
    void malformedArgumentsMakeNoCommand() {
        for (Duration ttl : List.of(
                Duration.ZERO,
                Duration.ofMillis(-1),
                Duration.ofHours(24).plusMillis(1),
                Duration.ofMillis(Long.MAX_VALUE))) {
            assertThatThrownBy(() -> acquire(new Fence.Any(), ttl))
                    .isInstanceOf(ProblemException.class)
                    .hasMessageContaining("ttl_ms");
            assertThatThrownBy(() -> new Renew("acme", LEASE, TOKEN_HASH, ttl)).hasMessageContaining("ttl_ms");
        }
        assertThat(acquire(new Fence.Any(), Duration.ofMillis(1)).ttl()).isEqualTo(Duration.ofMillis(1));
        assertThat(acquire(new Fence.Any(), Duration.ofHours(24)).ttl()).isEqualTo(Duration.ofHours(24));
        for (String holder : List.of("", "a\nb", "\u007f", "x".repeat(1025))) {
            assertThatThrownBy(() ->
                            new Acquire("acme", REVISION, new Fence.Any(), holder, TTL, "alice", NEW_LEASE, TOKEN_HASH))
                    .hasMessageContaining("holder");
        }
    }
}
