package io.weighbridge.ledger.store.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.r2dbc.spi.ConnectionFactory;
import io.weighbridge.ledger.store.LedgerSettings;
import io.weighbridge.ledger.store.LedgerStore;
import io.weighbridge.ledger.store.Signals;
import io.weighbridge.ledger.store.StoreDatabase;
import io.weighbridge.ledger.store.embedded.EmbeddedPostgresql;
import io.weighbridge.ledger.store.migrate.Migration;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.Disposable;

/** Goal: a subscription lives through a killed and through a stopped server, without a gap and without help. */
class FeedFaultIT {

    private static final String DATABASE = "weighbridge";

    @TempDir
    Path home;

    private final BlockingQueue<String> seen = new LinkedBlockingQueue<>();

    @Test
    void aKilledServerLosesNothingThatWasCommitted() throws Exception {
        EmbeddedPostgresql first = start(0);
        ConnectionFactory connections = connections(first);
        try (Feed feed = new Feed(connections, connections)) {
            Disposable subscription = subscribe(feed);
            append(first, "before");
            expect("before");
            first.crash();
            try (EmbeddedPostgresql second = start(first.port())) {
                append(second, "after");
                expect("after");
                subscription.dispose();
            }
        }
        assertThat(seen).isEmpty();
    }

    @Test
    void aStoppedServerIsWaitedFor() throws Exception {
        try (EmbeddedPostgresql server = start(0)) {
            ConnectionFactory connections = connections(server);
            try (Feed feed = new Feed(connections, connections)) {
                Disposable subscription = subscribe(feed);
                append(server, "before");
                expect("before");
                List<ProcessHandle> stopped = Signals.stop(server);
                assertThat(stopped).hasSizeGreaterThan(3);
                // Longer than the poller waits for one statement.
                assertThat(seen.poll(10, TimeUnit.SECONDS)).isNull();
                Signals.resume(stopped);
                append(server, "after");
                expect("after");
                subscription.dispose();
            }
        }
        assertThat(seen).isEmpty();
    }

    private EmbeddedPostgresql start(int port) {
        EmbeddedPostgresql server = EmbeddedPostgresql.start(home, port);
        var admin = new Migration.Admin(server.jdbcUrl("postgres"), server.adminUser(), server.adminPassword());
        new Migration(admin, DATABASE, StoreDatabase.PASSWORDS).run();
        return server;
    }

    private static ConnectionFactory connections(EmbeddedPostgresql server) {
        Duration limit = Duration.ofSeconds(5);
        return LedgerStore.connections(new LedgerSettings(
                server.r2dbcUrl(DATABASE), "weighbridge_lease", "pw-lease", 4, limit, limit, limit, false));
    }

    private Disposable subscribe(Feed feed) {
        return feed.subscribe("start", FeedFilter.all())
                .subscribe(entry -> seen.add(entry.entityId()), error -> seen.add(error.toString()));
    }

    private void expect(String id) throws InterruptedException {
        assertThat(seen.poll(30, TimeUnit.SECONDS)).isEqualTo(id);
    }

    private static void append(EmbeddedPostgresql server, String id) throws SQLException {
        try (Connection connection = DriverManager.getConnection(
                        server.jdbcUrl(DATABASE), server.adminUser(), server.adminPassword());
                Statement statement = connection.createStatement()) {
            statement.execute("""
                    INSERT INTO ledger.oplog_lease (writer, day, ledger_epoch, xid, kind, entry_version, entity,
                                                    entity_id, entity_version, tenant_id, subject, at, state)
                    SELECT 'lease', (now() AT TIME ZONE 'UTC')::date, ledger.epoch(),
                           pg_current_xact_id()::text::bigint, 13, 1, 'lease', '%s', 1, 'default', 't', now(), '{}'
                    """.formatted(id));
        }
    }
}
