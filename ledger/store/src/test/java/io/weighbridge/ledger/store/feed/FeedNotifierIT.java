package io.weighbridge.ledger.store.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.ledger.store.LedgerStore;
import io.weighbridge.ledger.store.StoreDatabase;
import io.weighbridge.ledger.store.Writer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

class FeedNotifierIT {

    private static final int WAIT_MS = 10_000;

    @Test
    void tellsOfCommitsSeldomButNeverForgetsTheLast() throws SQLException {
        StoreDatabase database = StoreDatabase.fresh();
        try (Connection listener = database.login(Writer.LEASE);
                Statement statement = listener.createStatement();
                FeedNotifier notifier = new FeedNotifier(LedgerStore.connections(database.settings(Writer.METADATA)))) {
            PGConnection notifications = listener.unwrap(PGConnection.class);
            statement.execute("LISTEN ledger_feed");
            long start = System.nanoTime();
            int told = 0;
            for (int i = 0; i < 20_000; i++) {
                notifier.committed();
            }
            told += count(notifications.getNotifications(WAIT_MS));
            long possible = (System.nanoTime() - start) / 5_000_000 + 2;
            assertThat(told).isBetween(1, (int) possible);

            // All is told by now or with the one that is due; a commit after a quiet time is told too.
            notifications.getNotifications(200);
            notifier.committed();
            assertThat(count(notifications.getNotifications(WAIT_MS))).isEqualTo(1);

            database.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
                    + " AND query = 'NOTIFY ledger_feed'");
            boolean again = false;
            for (int i = 0; i < 50 && !again; i++) {
                notifier.committed();
                again = count(notifications.getNotifications(200)) > 0;
            }
            assertThat(again).isTrue();
        }
    }

    private static int count(PGNotification[] notifications) {
        return notifications == null ? 0 : notifications.length;
    }
}
