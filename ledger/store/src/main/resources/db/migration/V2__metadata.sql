-- metadata-service: revisions, operations, objects, replicas, nodes, segments (spec 1, 2).

CREATE SCHEMA metadata;
GRANT USAGE ON SCHEMA metadata TO weighbridge_metadata, weighbridge_lease, weighbridge_reconciliation;

CREATE TABLE metadata.revision (
    revision_id            text   COLLATE "C" PRIMARY KEY CHECK (revision_id ~ '^[0-9a-f]{64}$'),
    tenant_id              text   COLLATE "C" NOT NULL,
    namespace              text   COLLATE "C" NOT NULL,
    resource_id            text   COLLATE "C" NOT NULL,
    revision               text   COLLATE "C" NOT NULL,
    weight_generation      bigint NOT NULL CHECK (weight_generation BETWEEN 1 AND 9007199254740991),
    -- SHA-256 of (tenant, namespace) and of (tenant, namespace, resource): the texts themselves can exceed an index row.
    namespace_hash         text   COLLATE "C" NOT NULL,
    resource_hash          text   COLLATE "C" NOT NULL,
    expected_payload_count bigint NOT NULL CHECK (expected_payload_count >= 1),
    expected_logical_bytes bigint NOT NULL CHECK (expected_logical_bytes >= 1),
    payload_group_id       text   COLLATE "C" NOT NULL,
    manifest_key           text   COLLATE "C" NOT NULL CHECK (octet_length(manifest_key) <= 1024),
    manifest_sha256        text,
    payload_keys_sha256    text,
    payload_count          bigint CHECK (payload_count >= 1),
    logical_bytes          bigint CHECK (logical_bytes >= 1),
    commit_fence           bigint,
    availability           text   NOT NULL CHECK (availability IN ('IMPORTING', 'READY', 'DEGRADED', 'DELETING', 'DELETED')),
    residency              text   NOT NULL CHECK (residency IN ('UNKNOWN', 'HOT', 'COLD', 'MIXED', 'ABSENT')),
    operation              text   NOT NULL CHECK (operation IN ('NONE', 'EVICTING', 'REHYDRATING', 'REPAIRING')),
    operation_id           uuid,
    metadata_generation    bigint NOT NULL CHECK (metadata_generation BETWEEN 1 AND 9007199254740991),
    labels                 jsonb  NOT NULL,
    memory_replicas        integer NOT NULL CHECK (memory_replicas >= 1),
    cold_replicas          integer NOT NULL CHECK (cold_replicas >= 0),
    placement_nodes        uuid[],
    placement_labels       jsonb,
    last_residency_target  text   NOT NULL CHECK (last_residency_target IN ('HOT', 'COLD')),
    import_token_hash      text   NOT NULL,
    import_subject         text   NOT NULL,
    drain_deadline         timestamptz,
    created_at             timestamptz NOT NULL,
    updated_at             timestamptz NOT NULL,
    committed_at           timestamptz,
    CHECK ((operation = 'NONE') = (operation_id IS NULL)),
    CHECK (operation = 'NONE' OR availability IN ('READY', 'DEGRADED')),
    CHECK (availability <> 'IMPORTING' OR residency = 'UNKNOWN'),
    CHECK (availability NOT IN ('READY', 'DEGRADED')
           OR (residency <> 'UNKNOWN' AND manifest_sha256 IS NOT NULL AND payload_keys_sha256 IS NOT NULL
               AND payload_count IS NOT NULL AND logical_bytes IS NOT NULL AND commit_fence IS NOT NULL)),
    CHECK (availability <> 'READY' OR residency <> 'ABSENT'),
    CHECK (availability <> 'DELETED' OR residency = 'ABSENT'),
    CHECK (updated_at >= created_at)
);
CREATE INDEX revision_by_resource ON metadata.revision (resource_hash, revision, weight_generation);
CREATE INDEX revision_by_commit ON metadata.revision (resource_hash, committed_at, revision_id);
CREATE INDEX revision_by_namespace ON metadata.revision (tenant_id, namespace);
CREATE INDEX resource_by_namespace ON metadata.revision (namespace_hash, resource_id);

-- After the commit the manifest reference never changes, and a revision's identity never does (spec 1.2).
CREATE FUNCTION metadata.keep_manifest() RETURNS trigger
    LANGUAGE plpgsql
AS $$
BEGIN
    IF (OLD.revision_id, OLD.tenant_id, OLD.namespace, OLD.resource_id, OLD.revision, OLD.weight_generation,
        OLD.payload_group_id, OLD.manifest_key)
       IS DISTINCT FROM
       (NEW.revision_id, NEW.tenant_id, NEW.namespace, NEW.resource_id, NEW.revision, NEW.weight_generation,
        NEW.payload_group_id, NEW.manifest_key)
       OR (OLD.commit_fence IS NOT NULL
           AND (OLD.manifest_sha256, OLD.payload_keys_sha256, OLD.payload_count, OLD.logical_bytes, OLD.commit_fence)
               IS DISTINCT FROM
               (NEW.manifest_sha256, NEW.payload_keys_sha256, NEW.payload_count, NEW.logical_bytes, NEW.commit_fence))
       OR NEW.metadata_generation < OLD.metadata_generation
    THEN
        RAISE EXCEPTION 'revision %: identity, manifest reference and generation order are immutable', OLD.revision_id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER keep_manifest BEFORE UPDATE ON metadata.revision
    FOR EACH ROW EXECUTE FUNCTION metadata.keep_manifest();

CREATE TABLE metadata.import_heartbeat (
    revision_id text COLLATE "C" PRIMARY KEY REFERENCES metadata.revision,
    beat_at     timestamptz NOT NULL
);

CREATE TABLE metadata.operation (
    operation_id               uuid   PRIMARY KEY,
    revision_id                text   COLLATE "C" NOT NULL REFERENCES metadata.revision,
    tenant_id                  text   COLLATE "C" NOT NULL,
    kind                       text   NOT NULL CHECK (kind IN ('EVICTING', 'REHYDRATING', 'REPAIRING')),
    target_residency           text   CHECK (target_residency IN ('HOT', 'COLD')),
    active                     boolean NOT NULL,
    automatic                  boolean NOT NULL,
    fenced_metadata_generation bigint NOT NULL,
    started_at                 timestamptz NOT NULL,
    updated_at                 timestamptz NOT NULL,
    processed_members          bigint NOT NULL CHECK (processed_members >= 0),
    total_members              bigint NOT NULL CHECK (total_members >= 2),
    cursor                     text,
    message                    text,
    claim_epoch                bigint NOT NULL DEFAULT 0,
    CHECK ((kind = 'REPAIRING') = (target_residency IS NULL)),
    CHECK (processed_members <= total_members)
);
CREATE UNIQUE INDEX operation_active ON metadata.operation (revision_id) WHERE active;
CREATE INDEX operation_by_revision ON metadata.operation (revision_id, started_at);
CREATE INDEX operation_by_tenant ON metadata.operation (tenant_id, started_at, operation_id);

CREATE SEQUENCE metadata.object_version_seq AS bigint MAXVALUE 9007199254740991;

-- An object's row is its current or latest incarnation; it is readable only through its copies.
CREATE TABLE metadata.object (
    object_id      text   COLLATE "C" PRIMARY KEY CHECK (object_id ~ '^[0-9a-f]{64}$'),
    tenant_id      text   COLLATE "C" NOT NULL,
    key            text   COLLATE "C" NOT NULL CHECK (octet_length(key) BETWEEN 1 AND 1024),
    size           bigint NOT NULL CHECK (size >= 0),
    type           text   NOT NULL CHECK (type IN ('WEIGHT', 'METADATA', 'KVCACHE', 'GENERAL')),
    group_id       text   COLLATE "C" CHECK (octet_length(group_id) BETWEEN 1 AND 1024),
    -- The revision that manages the group, if any.
    revision_id    text   COLLATE "C" REFERENCES metadata.revision,
    -- 0 until a put has ended.
    object_version bigint NOT NULL,
    digest         text,
    crc32c         bigint[],
    pin            text   NOT NULL CHECK (pin IN ('NONE', 'SOFT', 'HARD')),
    pinned_until   timestamptz,
    created_at     timestamptz NOT NULL,
    committed_at   timestamptz,
    last_access    timestamptz NOT NULL,
    CHECK ((object_version > 0) = (digest IS NOT NULL AND committed_at IS NOT NULL))
);
CREATE INDEX object_by_revision ON metadata.object (revision_id, key) INCLUDE (object_id, type, size)
    WHERE revision_id IS NOT NULL;
CREATE INDEX object_by_group ON metadata.object (tenant_id, group_id) WHERE group_id IS NOT NULL;

CREATE TABLE metadata.put (
    put_id       uuid PRIMARY KEY,
    object_id    text COLLATE "C" NOT NULL REFERENCES metadata.object ON DELETE CASCADE,
    tenant_id    text COLLATE "C" NOT NULL,
    revision_id  text COLLATE "C",
    -- Set when the put adds copies for an operation instead of writing the object.
    operation_id uuid,
    subject      text NOT NULL,
    token_hash   text NOT NULL,
    state        text NOT NULL CHECK (state IN ('PENDING', 'ENDED', 'REVOKED')),
    started_at   timestamptz NOT NULL,
    expires_at   timestamptz NOT NULL
);
-- Of two puts of one object only one can be pending; copies for operations do not count.
CREATE UNIQUE INDEX put_pending ON metadata.put (object_id) WHERE state = 'PENDING' AND operation_id IS NULL;
CREATE INDEX put_expiring ON metadata.put (expires_at) WHERE state = 'PENDING';
CREATE INDEX put_pending_by_revision ON metadata.put (revision_id) WHERE state = 'PENDING';
CREATE INDEX put_by_object ON metadata.put (object_id);

CREATE TABLE metadata.node (
    node_id           uuid PRIMARY KEY,
    agent_incarnation uuid NOT NULL,
    url               text NOT NULL,
    labels            jsonb NOT NULL,
    host_boot_id      text NOT NULL,
    state             text NOT NULL CHECK (state IN ('JOINING', 'LIVE', 'SUSPECT', 'DEAD')),
    subject           text NOT NULL,
    node_version      bigint NOT NULL,
    registered_at     timestamptz NOT NULL,
    last_heartbeat    timestamptz
);

CREATE TABLE metadata.segment (
    segment_id    uuid   PRIMARY KEY,
    node_id       uuid   NOT NULL REFERENCES metadata.node,
    tier          text   NOT NULL CHECK (tier IN ('MEMORY', 'LOCAL_DISK', 'DFS', 'NOF', 'OBJECT_STORE')),
    arena_id      uuid   NOT NULL,
    state         text   NOT NULL CHECK (state IN ('VERIFYING', 'MOUNTED', 'DRAINING', 'QUARANTINED', 'UNMOUNTED')),
    segment_epoch bigint NOT NULL CHECK (segment_epoch >= 1),
    capacity      bigint NOT NULL CHECK (capacity >= 0),
    used_bytes    bigint NOT NULL CHECK (used_bytes >= 0),
    io_failures   bigint NOT NULL DEFAULT 0
);
CREATE INDEX segment_by_node ON metadata.segment (node_id);

CREATE TABLE metadata.replica (
    replica_id    uuid   PRIMARY KEY,
    object_id     text   COLLATE "C" NOT NULL REFERENCES metadata.object ON DELETE CASCADE,
    put_id        uuid   NOT NULL,
    operation_id  uuid,
    node_id       uuid   NOT NULL,
    segment_id    uuid   NOT NULL REFERENCES metadata.segment,
    segment_epoch bigint NOT NULL,
    tier          text   NOT NULL,
    size          bigint NOT NULL,
    state         text   NOT NULL CHECK (state IN ('INITIALIZED', 'PROCESSING', 'COMPLETE', 'FAILED', 'REMOVED')),
    created_at    timestamptz NOT NULL,
    opened_at     timestamptz,
    -- What the agent itself reported (STORED); PutEnd compares with it.
    stored_at     timestamptz,
    stored_digest text,
    stored_size   bigint,
    stored_crc32c bigint[],
    retired_at    timestamptz,
    -- Set by a later transaction than the one that retired it (spec 2.3).
    reclaim_after timestamptz,
    -- No byte can arrive any more: the agent has confirmed it, or the replica was stored whole.
    token_closed  boolean NOT NULL DEFAULT false
);
CREATE INDEX replica_by_object ON metadata.replica (object_id);
CREATE INDEX replica_by_segment ON metadata.replica (segment_id, replica_id);
CREATE INDEX replica_by_put ON metadata.replica (put_id);
CREATE INDEX replica_reclaimable ON metadata.replica (node_id, reclaim_after) WHERE state IN ('FAILED', 'REMOVED');

CREATE TABLE metadata.idempotency (
    tenant_id  text COLLATE "C" NOT NULL,
    subject    text COLLATE "C" NOT NULL,
    key        text COLLATE "C" NOT NULL,
    digest     text NOT NULL,
    outcome    jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, subject, key)
);
CREATE INDEX idempotency_by_age ON metadata.idempotency (created_at);

GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA metadata TO weighbridge_metadata;
REVOKE DELETE ON metadata.revision, metadata.operation FROM weighbridge_metadata;
GRANT USAGE ON SEQUENCE metadata.object_version_seq TO weighbridge_metadata;

-- Versioned views: what other services may read. Plain views with the owner's rights.
CREATE VIEW metadata.revision_v1 AS
SELECT revision_id, tenant_id, namespace, resource_id, revision, weight_generation,
       expected_payload_count, expected_logical_bytes, payload_group_id, manifest_key,
       manifest_sha256, payload_keys_sha256, payload_count, logical_bytes, commit_fence,
       availability, residency, operation, operation_id, metadata_generation,
       labels, memory_replicas, cold_replicas, placement_nodes, placement_labels,
       drain_deadline, created_at, updated_at, committed_at
  FROM metadata.revision;

-- Every copy that may be read now (spec 2.1). Every read joins on the segment's epoch.
CREATE VIEW metadata.readable_replica_v1 AS
SELECT o.object_id, o.tenant_id, o.key, o.size, o.type, o.group_id, o.revision_id, o.object_version, o.digest, o.crc32c,
       r.replica_id, r.node_id, r.segment_id, r.segment_epoch, r.tier, r.state, n.url
  FROM metadata.object o
  JOIN metadata.replica r ON r.object_id = o.object_id AND r.state = 'COMPLETE'
  JOIN metadata.segment s ON s.segment_id = r.segment_id AND s.segment_epoch = r.segment_epoch
                         AND s.state IN ('MOUNTED', 'DRAINING')
  JOIN metadata.node n ON n.node_id = s.node_id AND n.state IN ('LIVE', 'SUSPECT', 'JOINING')
 WHERE o.object_version > 0;

-- Enough for lease-service to tell why an object cannot be read.
CREATE VIEW metadata.object_v1 AS
SELECT object_id, tenant_id, key, size, type, group_id, revision_id, object_version, digest
  FROM metadata.object;

CREATE VIEW metadata.node_v1 AS
SELECT node_id, subject, state, url, labels FROM metadata.node;

GRANT SELECT ON metadata.revision_v1, metadata.readable_replica_v1, metadata.object_v1, metadata.node_v1
    TO weighbridge_lease, weighbridge_reconciliation, weighbridge_metadata;
