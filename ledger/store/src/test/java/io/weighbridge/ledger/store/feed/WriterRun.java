package io.weighbridge.ledger.store.feed;

import io.weighbridge.ledger.store.Writer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Callable;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.jspecify.annotations.Nullable;

/** Short transactions of one connection; some wait before they end, some roll back. */
final class WriterRun implements Callable<@Nullable Void> {

    private final FeedWorld world;
    private final Writer writer;
    private final int number;
    private final int transactions;
    private final RandomGenerator random;

    WriterRun(FeedWorld world, Writer writer, int number, int transactions) {
        this.world = world;
        this.writer = writer;
        this.number = number;
        this.transactions = transactions;
        this.random = RandomGeneratorFactory.of("L64X128MixRandom").create(7919 + number);
    }

    @Override
    public @Nullable Void call() throws SQLException {
        try (Connection connection = world.database.login(writer);
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            for (int i = 0; i < transactions; i++) {
                String tenant = random.nextBoolean() ? "acme" : "default";
                statement.execute(FeedWorld.insert(writer, number + "-" + i, tenant, 1 + random.nextInt(3)));
                statement.execute("SELECT pg_sleep(" + random.nextInt(20) / 1000.0 + ")");
                if (random.nextInt(4) == 0) {
                    statement.execute(FeedWorld.insert(writer, number + "-" + i, tenant, 1));
                }
                if (random.nextInt(10) == 0) {
                    connection.rollback();
                } else {
                    connection.commit();
                }
            }
        }
        return null;
    }
}
