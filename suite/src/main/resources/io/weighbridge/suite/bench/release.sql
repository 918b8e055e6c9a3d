\set r random(1, 64)
DELETE FROM lease.revision_lease WHERE revision_id = repeat('0', 64) AND holder = 'pgbench-' || :client_id || '-' || :r
