\set r random(1, 64)
UPDATE lease.revision_lease SET expires_at = greatest(expires_at, now() + interval '1 minute') WHERE revision_id = repeat('0', 64) AND holder = 'pgbench-' || :client_id || '-' || :r
