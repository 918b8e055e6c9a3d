-- lease-service: revision leases and the keys of read leases (spec 1.5, 2.3).

CREATE SCHEMA lease;
GRANT USAGE ON SCHEMA lease TO weighbridge_metadata, weighbridge_lease, weighbridge_reconciliation;

CREATE TABLE lease.revision_lease (
    lease_id                   uuid   PRIMARY KEY,
    revision_id                text   COLLATE "C" NOT NULL,
    tenant_id                  text   COLLATE "C" NOT NULL,
    holder                     text   COLLATE "C" NOT NULL CHECK (octet_length(holder) BETWEEN 1 AND 1024),
    token_hash                 text   NOT NULL,
    subject                    text   NOT NULL,
    fenced_metadata_generation bigint NOT NULL,
    lease_version              bigint NOT NULL,
    granted_at                 timestamptz NOT NULL,
    expires_at                 timestamptz NOT NULL,
    UNIQUE (revision_id, holder)
);
CREATE INDEX revision_lease_by_expiry ON lease.revision_lease (expires_at);

-- HMAC keys shared with one node each; the newest version signs, the one before is still accepted.
CREATE TABLE lease.node_key (
    node_id    uuid    NOT NULL,
    version    integer NOT NULL CHECK (version >= 1),
    secret     bytea   NOT NULL CHECK (octet_length(secret) = 32),
    subject    text    NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (node_id, version)
);

GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA lease TO weighbridge_lease;

CREATE VIEW lease.revision_lease_v1 AS
SELECT lease_id, revision_id, tenant_id, holder, fenced_metadata_generation, granted_at, expires_at
  FROM lease.revision_lease;

-- The signing key of each node.
CREATE VIEW lease.node_key_v1 AS
SELECT DISTINCT ON (node_id) node_id, version, secret
  FROM lease.node_key
 ORDER BY node_id, version DESC;

GRANT SELECT ON lease.revision_lease_v1 TO weighbridge_metadata, weighbridge_reconciliation, weighbridge_lease;
GRANT SELECT ON lease.node_key_v1 TO weighbridge_metadata, weighbridge_lease;
