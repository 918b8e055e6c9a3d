package io.weighbridge.ledger.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.ledger.store.embedded.EmbeddedPostgresql;
import io.weighbridge.ledger.store.migrate.Migration;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;

/** Goal: neither a stopped server nor a held guard keeps commands waiting without end, or others from their turn. */
class LedgerFaultIT {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String DATABASE = "weighbridge";
    private static final RevisionId HELD = new RevisionId("a".repeat(64));
    private static final RevisionId FREE = new RevisionId("b".repeat(64));

    @Test
    void aStoppedServerIsUnavailableInTimeAndServesAgainAfterwards(@TempDir Path home) throws Exception {
        try (EmbeddedPostgresql server = EmbeddedPostgresql.start(home, 0)) {
            var admin = new Migration.Admin(server.jdbcUrl("postgres"), server.adminUser(), server.adminPassword());
            new Migration(admin, DATABASE, StoreDatabase.PASSWORDS).run();
            Duration second = Duration.ofSeconds(1);
            LedgerSettings settings = new LedgerSettings(
                    server.r2dbcUrl(DATABASE),
                    Migration.login(Writer.LEASE),
                    StoreDatabase.PASSWORDS.of(Writer.LEASE),
                    4,
                    second,
                    second,
                    second,
                    false);
            ConnectionPool pool = pool(settings);
            try {
                Ledger ledger = new Ledger(Writer.LEASE, pool, pool, settings, () -> {});
                assertThat(command(ledger, Guards.exclusive(FREE)).block(PATIENCE))
                        .isEqualTo("done");
                List<ProcessHandle> stopped = Signals.stop(server);
                // Two seconds for the statements, one for the attempt to roll back, and the machine's own slowness.
                Duration bound = Duration.ofSeconds(15);
                assertThat(command(ledger, Guards.exclusive(FREE)).block(bound)).isEqualTo("UNAVAILABLE");
                assertThat(ledger.snapshot(reads -> reads.sql("SELECT 'read' AS r")
                                        .map(row -> "read")
                                        .one())
                                .onErrorResume(LedgerFaultIT::code)
                                .block(bound))
                        .isEqualTo("UNAVAILABLE");
                Signals.resume(stopped);
                assertThat(command(ledger, Guards.exclusive(FREE))
                                .repeat(() -> true)
                                .filter("done"::equals)
                                .next()
                                .block(PATIENCE))
                        .isEqualTo("done");
            } finally {
                pool.dispose();
            }
        }
    }

    @Test
    void waitersForOneGuardLeaveRoomForOthers() throws Exception {
        StoreDatabase database = StoreDatabase.fresh();
        LedgerSettings service = database.settings(Writer.LEASE);
        // So long that nobody gives up before the guard is free.
        Duration patient = Duration.ofSeconds(20);
        LedgerSettings settings = new LedgerSettings(
                service.url(),
                service.username(),
                service.password(),
                service.connections(),
                patient,
                patient,
                patient,
                false);
        ConnectionPool pool = pool(settings);
        try (Connection holder = database.superuser()) {
            Ledger ledger = new Ledger(Writer.LEASE, pool, pool, settings, () -> {});
            holder.setAutoCommit(false);
            try (PreparedStatement lock = holder.prepareStatement("SELECT pg_advisory_xact_lock(?)")) {
                lock.setLong(1, HELD.guardKey());
                lock.execute();
            }
            var waiting = IntStream.range(0, 30)
                    .mapToObj(i -> command(ledger, Guards.exclusive(HELD)).toFuture())
                    .toList();
            Duration soon = patient.dividedBy(2);
            assertThat(command(ledger, Guards.exclusive(FREE)).block(soon)).isEqualTo("done");
            assertThat(command(ledger, Guards.none()).block(soon)).isEqualTo("done");
            assertThat(waiting).noneMatch(answer -> answer.isDone());
            holder.rollback();
            for (var answer : waiting) {
                assertThat(answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo("done");
            }
        } finally {
            pool.dispose();
        }
    }

    private static Mono<String> command(Ledger ledger, Guards guards) {
        return ledger.transact(guards, tx -> Mono.just("done")).onErrorResume(LedgerFaultIT::code);
    }

    private static Mono<String> code(Throwable error) {
        return error instanceof ProblemException refusal
                ? Mono.just(refusal.problem().code().name())
                : Mono.error(error);
    }

    private static ConnectionPool pool(LedgerSettings settings) {
        return new ConnectionPool(ConnectionPoolConfiguration.builder(LedgerStore.connections(settings))
                .initialSize(1)
                .maxSize(settings.commandConnections())
                .maxAcquireTime(Duration.ofSeconds(3))
                .acquireRetry(settings.commandConnections())
                .build());
    }
}
