package io.weighbridge.reconciliation.revision.postgres;

import io.r2dbc.spi.Readable;
import io.weighbridge.ledger.store.Ledger;
import io.weighbridge.ledger.vocabulary.Availability;
import io.weighbridge.ledger.vocabulary.Residency;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Mono;

/** What the ledger holds, counted (spec 1.8). */
public final class LedgerFigures {

    /** The start of an operation is the last change of its revision's row: it leaves only with the operation. */
    private static final String REVISIONS = """
            SELECT availability, residency, count(*) AS revisions,
                   count(*) FILTER (WHERE operation <> 'NONE') AS operations,
                   (extract(epoch FROM now() - min(updated_at) FILTER (WHERE operation <> 'NONE')) * 1000)::bigint
                       AS oldest_ms
              FROM metadata.revision_v1
             GROUP BY availability, residency
            """;

    private static final String LEASES = """
            SELECT count(*) AS leases FROM lease.revision_lease_v1 WHERE expires_at > now()
            """;

    private final Ledger ledger;

    public LedgerFigures(Ledger ledger) {
        this.ledger = ledger;
    }

    /**
     * The counts of one moment.
     *
     * @param activeLeases revision leases that have not expired
     * @param pendingOperations operations under way
     * @param oldestOperationAgeMs since the oldest of them started; absent without one
     */
    public record Counts(
            Map<Availability, Long> byAvailability,
            Map<Residency, Long> byResidency,
            long activeLeases,
            long pendingOperations,
            @Nullable Long oldestOperationAgeMs) {}

    private record Group(
            Availability availability,
            Residency residency,
            long revisions,
            long operations,
            @Nullable Long oldestMs) {}

    public Mono<Counts> count() {
        return ledger.snapshot(client -> groups(client)
                .flatMap(groups -> client.sql(LEASES)
                        .map(row -> number(row, "leases"))
                        .one()
                        .map(leases -> sum(groups, leases))));
    }

    private static Mono<List<Group>> groups(DatabaseClient client) {
        return client.sql(REVISIONS)
                .map(row -> new Group(
                        Availability.valueOf(text(row, "availability")),
                        Residency.valueOf(text(row, "residency")),
                        number(row, "revisions"),
                        number(row, "operations"),
                        row.get("oldest_ms", Long.class)))
                .all()
                .collectList();
    }

    private static Counts sum(List<Group> groups, long leases) {
        Map<Availability, Long> byAvailability = new EnumMap<>(Availability.class);
        Map<Residency, Long> byResidency = new EnumMap<>(Residency.class);
        for (Availability availability : Availability.values()) {
            byAvailability.put(availability, 0L);
        }
        for (Residency residency : Residency.values()) {
            byResidency.put(residency, 0L);
        }
        long operations = 0;
        Long oldest = null;
        for (Group group : groups) {
            byAvailability.merge(group.availability(), group.revisions(), Long::sum);
            byResidency.merge(group.residency(), group.revisions(), Long::sum);
            operations += group.operations();
            Long age = group.oldestMs();
            if (age != null && (oldest == null || age > oldest)) {
                oldest = age;
            }
        }
        return new Counts(byAvailability, byResidency, leases, operations, oldest);
    }

    private static long number(Readable row, String column) {
        return Objects.requireNonNull(row.get(column, Long.class));
    }

    private static String text(Readable row, String column) {
        return Objects.requireNonNull(row.get(column, String.class));
    }
}
