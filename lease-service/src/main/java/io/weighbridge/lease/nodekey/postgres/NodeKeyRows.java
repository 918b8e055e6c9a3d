package io.weighbridge.lease.nodekey.postgres;

import io.r2dbc.spi.Readable;
import io.weighbridge.ledger.store.Ledger;
import io.weighbridge.ledger.store.LedgerTransaction;
import io.weighbridge.ledger.token.NodeKey;
import java.time.Duration;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The rows of {@code lease.node_key}: at most two versions of each node's key. */
public final class NodeKeyRows {

    private static final String SUBJECTS = """
            SELECT k.subject FROM lease.node_key k WHERE k.node_id = :node
             UNION
            SELECT n.subject FROM metadata.node_v1 n WHERE n.node_id = :node
            """;

    private static final String FIRST = """
            INSERT INTO lease.node_key (node_id, version, secret, subject, created_at)
            SELECT :node, 1, :secret, :subject, date_trunc('milliseconds', clock_timestamp())
             WHERE NOT EXISTS (SELECT 1 FROM lease.node_key WHERE node_id = :node)
            ON CONFLICT (node_id, version) DO NOTHING
            """;

    private static final String NEWEST_FIRST = """
            SELECT node_id, version, secret
              FROM lease.node_key
             WHERE node_id = :node AND subject = :subject
             ORDER BY version DESC
             LIMIT 2
            """;

    // The newest that its node has had time to fetch; without one, the oldest.
    private static final String SIGNING = """
            SELECT DISTINCT ON (k.node_id) k.node_id, k.version, k.secret
              FROM (SELECT node_id, version, secret,
                           created_at <= clock_timestamp() - make_interval(secs => :activation) AS fetched
                      FROM lease.node_key
                     WHERE node_id = ANY(:nodes::uuid[])) k
             ORDER BY k.node_id, k.fetched DESC, CASE WHEN k.fetched THEN -k.version ELSE k.version END
            """;

    private static final String DUE = """
            SELECT k.node_id
              FROM lease.node_key k
             GROUP BY k.node_id
            HAVING max(k.created_at) <= clock_timestamp() - make_interval(secs => :age)
             LIMIT :most
            """;

    // Two instances that rotate at once agree: of one version there is one row.
    private static final String NEXT = """
            INSERT INTO lease.node_key (node_id, version, secret, subject, created_at)
            SELECT n.node_id, newest.version + 1, decode(n.secret, 'hex'), newest.subject,
                   date_trunc('milliseconds', clock_timestamp())
              FROM unnest(:nodes::uuid[], :secrets::text[]) AS n(node_id, secret)
             CROSS JOIN LATERAL (SELECT k.version, k.subject, k.created_at
                                   FROM lease.node_key k
                                  WHERE k.node_id = n.node_id
                                  ORDER BY k.version DESC
                                  LIMIT 1) newest
             WHERE newest.created_at <= clock_timestamp() - make_interval(secs => :age)
             ORDER BY n.node_id
            ON CONFLICT (node_id, version) DO NOTHING
            """;

    private static final String FORGET = """
            DELETE FROM lease.node_key old
             USING (SELECT node_id, max(version) AS newest
                      FROM lease.node_key
                     WHERE node_id = ANY(:nodes::uuid[])
                     GROUP BY node_id) kept
             WHERE old.node_id = kept.node_id AND old.version < kept.newest - 1
            """;

    private final Ledger ledger;

    public NodeKeyRows(Ledger ledger) {
        this.ledger = ledger;
    }

    /** Who has this node's key, or has registered it; normally at most one. */
    public Flux<String> subjects(LedgerTransaction tx, UUID node) {
        return tx.sql(SUBJECTS)
                .bind("node", node)
                .map(row -> required(row, "subject", String.class))
                .all();
    }

    /** Makes a node's first key, unless it has one. */
    public Mono<Long> createFirst(LedgerTransaction tx, UUID node, byte[] secret, String subject) {
        return tx.sql(FIRST)
                .bind("node", node)
                .bind("secret", secret)
                .bind("subject", subject)
                .fetch()
                .rowsUpdated();
    }

    /** A subject's keys of its node, at most two. */
    public Flux<NodeKey> newestFirst(LedgerTransaction tx, UUID node, String subject) {
        return tx.sql(NEWEST_FIRST)
                .bind("node", node)
                .bind("subject", subject)
                .map(NodeKeyRows::key)
                .all();
    }

    /** The key of each node under which tokens are signed now; nodes without key are absent. */
    public Flux<NodeKey> signing(Collection<UUID> nodes, Duration activation) {
        return ledger.reads()
                .sql(SIGNING)
                .bind("nodes", nodes.toArray(UUID[]::new))
                .bind("activation", seconds(activation))
                .map(NodeKeyRows::key)
                .all()
                .onErrorMap(Ledger::readError);
    }

    /** Nodes whose newest key is at least this old. */
    public Mono<List<UUID>> due(LedgerTransaction tx, Duration age, int most) {
        return tx.sql(DUE)
                .bind("age", seconds(age))
                .bind("most", most)
                .map(row -> required(row, "node_id", UUID.class))
                .all()
                .collectList();
    }

    /** Gives each of these nodes a newer key, if it is still due, and forgets all but the two newest. */
    public Mono<Long> rotate(LedgerTransaction tx, List<UUID> nodes, List<byte[]> secrets, Duration age) {
        return tx.sql(NEXT)
                .bind("nodes", nodes.toArray(UUID[]::new))
                .bind("secrets", LedgerTransaction.column(secrets, HexFormat.of()::formatHex, new String[0]))
                .bind("age", seconds(age))
                .fetch()
                .rowsUpdated()
                .flatMap(made -> tx.sql(FORGET)
                        .bind("nodes", nodes.toArray(UUID[]::new))
                        .fetch()
                        .rowsUpdated()
                        .thenReturn(made));
    }

    private static NodeKey key(Readable row) {
        return new NodeKey(
                required(row, "node_id", UUID.class),
                required(row, "version", Integer.class),
                required(row, "secret", byte[].class));
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1000.0;
    }

    private static <T> T required(Readable row, String column, Class<T> type) {
        return Objects.requireNonNull(row.get(column, type), column);
    }
}
