package io.weighbridge.metadata.revision.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.ledger.identity.RevisionIdentity;
import io.weighbridge.ledger.store.OplogEntry;
import io.weighbridge.ledger.vocabulary.Availability;
import io.weighbridge.ledger.vocabulary.EntryKind;
import io.weighbridge.ledger.vocabulary.OperationKind;
import io.weighbridge.ledger.vocabulary.Residency;
import io.weighbridge.metadata.revision.domain.ImportSummary;
import io.weighbridge.metadata.revision.domain.ManifestReference;
import io.weighbridge.metadata.revision.domain.Operation;
import io.weighbridge.metadata.revision.domain.Placement;
import io.weighbridge.metadata.revision.domain.Revision.ImportSession;
import io.weighbridge.metadata.revision.domain.Revision.Publication;
import io.weighbridge.metadata.revision.domain.Revision.Registered;
import io.weighbridge.metadata.revision.domain.RevisionEvent;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Goal: what is in the oplog stays readable. These texts are entry version 1 and are never edited. */
class RevisionEntriesTest {

    private static final Instant TIME = Instant.parse("2026-01-02T03:04:05.678Z");
    private static final RevisionIdentity IDENTITY =
            new RevisionIdentity("default", "production", "llama-70b", "step-100", 7);
    private static final String GROUP = "weight:5dbbea14aa75c98a5b3fbb576a9c612d64fc6bc8f490f24a7ff017fcfe321b7d";

    private static final Operation EVICTION = new Operation(
            new UUID(0, 1), OperationKind.EVICTING, Residency.COLD, true, false, 5, TIME, TIME, 1, 3, "a", null, 4);

    private static final String EVICTION_JSON = """
            {"operation_id":"00000000-0000-0000-0000-000000000001",\
            "revision_id":"5dbbea14aa75c98a5b3fbb576a9c612d64fc6bc8f490f24a7ff017fcfe321b7d","kind":"EVICTING",\
            "target_residency":"COLD","active":true,"automatic":false,"fenced_metadata_generation":5,\
            "started_at":"2026-01-02T03:04:05.678Z","updated_at":"2026-01-02T03:04:05.678Z","processed_members":1,\
            "total_members":3,"cursor":"a","claim_epoch":4}""";

    private static Registered evicting() {
        return new Registered(
                IDENTITY,
                new ImportSummary(2, 2000),
                new ImportSession("hash", "trainer", null),
                new Publication(
                        new ManifestReference(IDENTITY.manifestKey(), "ab".repeat(32), GROUP, "cd".repeat(32), 2, 2000),
                        1,
                        TIME),
                Availability.READY,
                Residency.HOT,
                Residency.HOT,
                EVICTION,
                6,
                Map.of("run", "a"),
                new Placement(2, 1, List.of(new UUID(0, 9)), Map.of("zone", "a")),
                null,
                TIME,
                TIME);
    }

    @Test
    void aRevisionsEntryHoldsAllOfItAndItsOperations() {
        List<OplogEntry> entries = RevisionEntries.of(
                evicting(),
                List.of(
                        new RevisionEvent.OperationSuperseded(new UUID(0, 2), TIME),
                        new RevisionEvent.OperationStarted(EVICTION, TIME)),
                List.of(EVICTION),
                "trainer");
        assertThat(entries).hasSize(1);
        OplogEntry entry = entries.getFirst();
        assertThat(entry.kind()).isEqualTo(EntryKind.OperationStarted);
        assertThat(entry.entityId()).isEqualTo(IDENTITY.id().hex());
        assertThat(entry.entityVersion()).isEqualTo(6);
        assertThat(entry.state()).isEqualTo("""
                {"revision_id":"5dbbea14aa75c98a5b3fbb576a9c612d64fc6bc8f490f24a7ff017fcfe321b7d",\
                "tenant_id":"default","namespace":"production","resource_id":"llama-70b","revision":"step-100",\
                "weight_generation":7,"expected_payload_count":2,"expected_logical_bytes":2000,\
                "payload_group_id":"weight:5dbbea14aa75c98a5b3fbb576a9c612d64fc6bc8f490f24a7ff017fcfe321b7d",\
                "manifest_key":"weights/production/llama-70b/step-100/7/manifest",\
                "manifest":{"manifest_key":"weights/production/llama-70b/step-100/7/manifest",\
                "manifest_sha256":"abababababababababababababababababababababababababababababababab",\
                "payload_group_id":"weight:5dbbea14aa75c98a5b3fbb576a9c612d64fc6bc8f490f24a7ff017fcfe321b7d",\
                "payload_keys_sha256":"cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd",\
                "payload_count":2,"logical_bytes":2000},"commit_fence":1,"availability":"READY","residency":"HOT",\
                "operation":"EVICTING","operation_id":"00000000-0000-0000-0000-000000000001",\
                "metadata_generation":6,"labels":{"run":"a"},"placement":{"memory_replicas":2,"cold_replicas":1,\
                "nodes":["00000000-0000-0000-0000-000000000009"],"node_labels":{"zone":"a"}},\
                "created_at":"2026-01-02T03:04:05.678Z","updated_at":"2026-01-02T03:04:05.678Z",\
                "committed_at":"2026-01-02T03:04:05.678Z","last_residency_target":"HOT",\
                "import_token_hash":"hash","import_subject":"trainer","operations":[""" + EVICTION_JSON + "]}");
    }

    @Test
    void progressIsAnEntryOfTheOperation() {
        RevisionEvent progressed = new RevisionEvent.OperationProgressed(new UUID(0, 1), 1, "a", 4, TIME);
        OplogEntry entry = RevisionEntries.of(evicting(), List.of(progressed), List.of(), "service/reconciliation")
                .getFirst();
        assertThat(entry.kind()).isEqualTo(EntryKind.OperationProgressed);
        assertThat(entry.entityId()).isEqualTo(new UUID(0, 1).toString());
        assertThat(entry.entityVersion()).isEqualTo(TIME.toEpochMilli());
        assertThat(entry.state()).isEqualTo(EVICTION_JSON);
    }

    @Test
    void heartbeatsAndClaimsAreNotLogged() {
        List<RevisionEvent> silent = List.of(
                new RevisionEvent.ImportHeartbeatSeen(TIME), new RevisionEvent.OperationClaimed(new UUID(0, 1), 5));
        assertThat(RevisionEntries.of(evicting(), silent, List.of(), "x")).isEmpty();
    }
}
