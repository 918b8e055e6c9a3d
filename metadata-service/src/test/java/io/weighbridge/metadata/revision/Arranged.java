package io.weighbridge.metadata.revision;

import io.weighbridge.ledger.identity.RevisionIdentity;
import io.weighbridge.ledger.key.CanonicalKeys;
import io.weighbridge.testkit.TestLedger;
import io.weighbridge.wire.ManifestReference;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/** Puts nodes, objects, copies and leases into the ledger by SQL, as other subjects and services would. */
final class Arranged {

    static final String MANIFEST_SHA256 = "ab".repeat(32);
    static final long SIZE = 1000;

    private final TestLedger ledger;
    private final UUID node = UUID.randomUUID();
    private final UUID memory = UUID.randomUUID();
    private final UUID disk = UUID.randomUUID();

    /** One live node with a memory and a disk segment. */
    Arranged(TestLedger ledger) {
        this.ledger = ledger;
        addNode(node, memory, disk);
    }

    UUID node() {
        return node;
    }

    UUID memory() {
        return memory;
    }

    void addNode(UUID nodeId, UUID memoryId, UUID diskId) {
        ledger.sql("""
                INSERT INTO metadata.node (node_id, agent_incarnation, url, labels, host_boot_id, state, subject,
                                           node_version, registered_at, last_heartbeat)
                VALUES (?, ?, 'http://127.0.0.1:1', '{"zone": "a"}', 'boot', 'LIVE', 'node/a', 1, now(), now())
                """, nodeId, UUID.randomUUID());
        addSegment(memoryId, nodeId, "MEMORY");
        addSegment(diskId, nodeId, "LOCAL_DISK");
    }

    private void addSegment(UUID segment, UUID nodeId, String tier) {
        ledger.sql("""
                INSERT INTO metadata.segment (segment_id, node_id, tier, arena_id, state, segment_epoch, capacity, used_bytes)
                VALUES (?, ?, ?, ?, 'MOUNTED', 1, 1000000000000, 0)
                """, segment, nodeId, tier, UUID.randomUUID());
    }

    static List<String> payloadKeys(RevisionIdentity identity, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "%s-%d/layer-%05d".formatted(identity.revision(), identity.weightGeneration(), i))
                .toList();
    }

    static ManifestReference reference(RevisionIdentity identity, int payloads) {
        return new ManifestReference(
                identity.manifestKey(),
                MANIFEST_SHA256,
                identity.payloadGroupId(),
                CanonicalKeys.payloadKeysSha256(payloadKeys(identity, payloads)),
                payloads,
                payloads * SIZE);
    }

    /** All members of a revision, each with one complete copy in memory. */
    void members(RevisionIdentity identity, int payloads) {
        try (Connection connection = ledger.superuser()) {
            connection.setAutoCommit(false);
            for (String key : payloadKeys(identity, payloads)) {
                member(connection, identity, key, "WEIGHT", "cd".repeat(32));
            }
            member(connection, identity, identity.manifestKey(), "METADATA", MANIFEST_SHA256);
            connection.commit();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** One more payload, complete. */
    void payload(RevisionIdentity identity, String key) {
        try (Connection connection = ledger.superuser()) {
            connection.setAutoCommit(false);
            member(connection, identity, key, "WEIGHT", "cd".repeat(32));
            connection.commit();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void member(Connection connection, RevisionIdentity identity, String key, String type, String digest)
            throws SQLException {
        String objectId = CanonicalKeys.objectId(identity.tenantId(), key);
        try (PreparedStatement insert = connection.prepareStatement("""
                INSERT INTO metadata.object (object_id, tenant_id, key, size, type, group_id, revision_id, object_version,
                                             digest, crc32c, pin, created_at, committed_at, last_access)
                VALUES (?, ?, ?, ?, ?, ?, ?, nextval('metadata.object_version_seq'), ?, '{}', 'NONE', now(), now(), now())
                """)) {
            insert.setString(1, objectId);
            insert.setString(2, identity.tenantId());
            insert.setString(3, key);
            insert.setLong(4, SIZE);
            insert.setString(5, type);
            insert.setString(6, identity.payloadGroupId());
            insert.setString(7, identity.id().hex());
            insert.setString(8, digest);
            insert.executeUpdate();
        }
        copy(connection, objectId, node, memory, "MEMORY");
    }

    private static void copy(Connection connection, String objectId, UUID nodeId, UUID segment, String tier)
            throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("""
                INSERT INTO metadata.replica (replica_id, object_id, put_id, node_id, segment_id, segment_epoch, tier, size,
                                              state, created_at)
                VALUES (?, ?, ?, ?, ?, 1, ?, ?, 'COMPLETE', now())
                """)) {
            insert.setObject(1, UUID.randomUUID());
            insert.setString(2, objectId);
            insert.setObject(3, UUID.randomUUID());
            insert.setObject(4, nodeId);
            insert.setObject(5, segment);
            insert.setString(6, tier);
            insert.setLong(7, SIZE);
            insert.executeUpdate();
        }
    }

    /** A cold copy of every member beside the others. */
    void copyToDisk(RevisionIdentity identity) {
        ledger.sql("""
                INSERT INTO metadata.replica (replica_id, object_id, put_id, node_id, segment_id, segment_epoch, tier, size,
                                              state, created_at)
                SELECT gen_random_uuid(), object_id, gen_random_uuid(), ?, ?, 1, 'LOCAL_DISK', size, 'COMPLETE', now()
                  FROM metadata.object WHERE revision_id = ?
                """, node, disk, identity.id().hex());
    }

    /** A copy in memory of every member beside the others. */
    void copyToMemory(RevisionIdentity identity, UUID nodeId, UUID segment) {
        ledger.sql("""
                INSERT INTO metadata.replica (replica_id, object_id, put_id, node_id, segment_id, segment_epoch, tier, size,
                                              state, created_at)
                SELECT gen_random_uuid(), object_id, gen_random_uuid(), ?, ?, 1, 'MEMORY', size, 'COMPLETE', now()
                  FROM metadata.object WHERE revision_id = ?
                """, nodeId, segment, identity.id().hex());
    }

    /** Every copy of that tier unreadable. */
    void retire(RevisionIdentity identity, String tier) {
        ledger.sql("""
                UPDATE metadata.replica SET state = 'REMOVED', retired_at = now()
                 WHERE tier = ? AND object_id IN (SELECT object_id FROM metadata.object WHERE revision_id = ?)
                """, tier, identity.id().hex());
    }

    /** A live lease, as lease-service grants it. */
    UUID lease(RevisionIdentity identity, long fencedGeneration, long ttlMs) {
        UUID lease = UUID.randomUUID();
        ledger.sql("""
                INSERT INTO lease.revision_lease (lease_id, revision_id, tenant_id, holder, token_hash, subject,
                                                  fenced_metadata_generation, lease_version, granted_at, expires_at)
                VALUES (?, ?, ?, ?, 'x', 'reader', ?, 1, now(), clock_timestamp() + ? * interval '1 millisecond')
                """, lease, identity.id().hex(), identity.tenantId(), lease.toString(), fencedGeneration, ttlMs);
        return lease;
    }
}
