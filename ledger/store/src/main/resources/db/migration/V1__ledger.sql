-- The mechanism that all services share: the append-only oplog (spec 1.9).
-- Everything belongs to the owner role; services log in as roles that hold only the grants given here.

CREATE SCHEMA ledger;
GRANT USAGE ON SCHEMA ledger TO weighbridge_metadata, weighbridge_lease, weighbridge_reconciliation;

-- One row: how often this ledger was restored. With the timeline it makes the ledger epoch.
CREATE TABLE ledger.restore_counter (
    singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
    restores  integer NOT NULL DEFAULT 0 CHECK (restores >= 0)
);
INSERT INTO ledger.restore_counter DEFAULT VALUES;
GRANT SELECT ON ledger.restore_counter TO weighbridge_metadata, weighbridge_lease, weighbridge_reconciliation;

-- (restore counter, timeline) as one number. The timeline is the first 8 hexadecimal digits of a WAL file's name.
CREATE FUNCTION ledger.epoch() RETURNS bigint
    LANGUAGE sql STABLE
AS $$
    SELECT (restores::bigint << 32)
         | ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint
      FROM ledger.restore_counter
$$;

CREATE TABLE ledger.oplog (
    writer         text     NOT NULL,
    day            date     NOT NULL,
    ledger_epoch   bigint   NOT NULL,
    xid            bigint   NOT NULL,
    seq            bigint   GENERATED ALWAYS AS IDENTITY,
    kind           smallint NOT NULL,
    entry_version  smallint NOT NULL,
    entity         text     NOT NULL,
    entity_id      text     COLLATE "C" NOT NULL,
    entity_version bigint   NOT NULL,
    tenant_id      text     COLLATE "C" NOT NULL,
    revision_id    text     COLLATE "C",
    node_id        uuid,
    subject        text     NOT NULL,
    at             timestamptz NOT NULL,
    state          jsonb    NOT NULL,
    PRIMARY KEY (writer, day, ledger_epoch, xid, seq)
) PARTITION BY LIST (writer);
COMMENT ON TABLE ledger.oplog IS 'One entry per effective mutation; append-only; feed order is (ledger_epoch, xid, seq)';
CREATE INDEX oplog_feed ON ledger.oplog (ledger_epoch, xid, seq);

CREATE TABLE ledger.oplog_metadata PARTITION OF ledger.oplog FOR VALUES IN ('metadata') PARTITION BY RANGE (day);
CREATE TABLE ledger.oplog_lease PARTITION OF ledger.oplog FOR VALUES IN ('lease') PARTITION BY RANGE (day);
CREATE TABLE ledger.oplog_reconciliation PARTITION OF ledger.oplog FOR VALUES IN ('reconciliation') PARTITION BY RANGE (day);

-- A login appends to its own writer's table only: through the root it could forge another's entries.
GRANT SELECT ON ledger.oplog TO weighbridge_metadata, weighbridge_lease, weighbridge_reconciliation;
GRANT INSERT ON ledger.oplog_metadata TO weighbridge_metadata;
GRANT INSERT ON ledger.oplog_lease TO weighbridge_lease;
GRANT INSERT ON ledger.oplog_reconciliation TO weighbridge_reconciliation;

-- Makes the partitions of today and of the days ahead. Services call it; only the owner can create tables.
CREATE FUNCTION ledger.prepare_days(ahead integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    parent text;
    d date;
    child text;
    made integer := 0;
BEGIN
    PERFORM set_config('lock_timeout', '1s', true);
    -- One caller at a time; the others find the work done.
    PERFORM pg_advisory_xact_lock(hashtextextended('ledger.prepare_days', 0));
    FOREACH parent IN ARRAY ARRAY['oplog_metadata', 'oplog_lease', 'oplog_reconciliation'] LOOP
        FOR i IN 0 .. least(ahead, 60) LOOP
            d := (now() AT TIME ZONE 'UTC')::date + i;
            child := parent || '_' || to_char(d, 'YYYYMMDD');
            IF to_regclass('ledger.' || child) IS NULL THEN
                EXECUTE format('CREATE TABLE ledger.%I (LIKE ledger.oplog INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', child);
                EXECUTE format('ALTER TABLE ledger.%I ATTACH PARTITION ledger.%I FOR VALUES FROM (%L) TO (%L)',
                               parent, child, d, d + 1);
                made := made + 1;
            END IF;
        END LOOP;
    END LOOP;
    RETURN made;
END
$$;

-- Entries up to here may have been dropped: a feed cursor before it gets FEED_RESET.
CREATE TABLE ledger.feed_horizon (
    singleton    boolean PRIMARY KEY DEFAULT true CHECK (singleton),
    ledger_epoch bigint NOT NULL DEFAULT 0,
    xid          bigint NOT NULL DEFAULT 0,
    seq          bigint NOT NULL DEFAULT 0,
    moved_at     timestamptz NOT NULL DEFAULT '-infinity'
);
INSERT INTO ledger.feed_horizon DEFAULT VALUES;
GRANT SELECT ON ledger.feed_horizon TO weighbridge_metadata, weighbridge_lease, weighbridge_reconciliation;

-- Drops whole days that are older than the retention. The horizon moves first, and days go in a later call, a minute
-- or more after it: so no page that was read before the horizon moved can miss entries without being told.
CREATE FUNCTION ledger.drop_days(keep integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    child text;
    horizon ledger.feed_horizon;
    e bigint;
    x bigint;
    s bigint;
    moved boolean := false;
    dropped integer := 0;
BEGIN
    PERFORM set_config('lock_timeout', '1s', true);
    SELECT * INTO horizon FROM ledger.feed_horizon FOR UPDATE;
    FOR child IN
        SELECT c.relname
          FROM pg_inherits i
          JOIN pg_class c ON c.oid = i.inhrelid
          JOIN pg_class p ON p.oid = i.inhparent
          JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE n.nspname = 'ledger'
           AND p.relname IN ('oplog_metadata', 'oplog_lease', 'oplog_reconciliation')
           AND right(c.relname, 8) < to_char((now() AT TIME ZONE 'UTC')::date - greatest(keep, 1), 'YYYYMMDD')
         ORDER BY right(c.relname, 8), c.relname
    LOOP
        EXECUTE format('SELECT ledger_epoch, xid, seq FROM ledger.%I ORDER BY 1 DESC, 2 DESC, 3 DESC LIMIT 1', child)
           INTO e, x, s;
        IF e IS NOT NULL AND (e, x, s) > (horizon.ledger_epoch, horizon.xid, horizon.seq) THEN
            horizon.ledger_epoch := e;
            horizon.xid := x;
            horizon.seq := s;
            moved := true;
        ELSIF NOT moved AND horizon.moved_at < clock_timestamp() - interval '1 minute' THEN
            EXECUTE format('DROP TABLE ledger.%I', child);
            dropped := dropped + 1;
        END IF;
    END LOOP;
    IF moved THEN
        UPDATE ledger.feed_horizon
           SET ledger_epoch = horizon.ledger_epoch, xid = horizon.xid, seq = horizon.seq, moved_at = clock_timestamp();
    END IF;
    RETURN dropped;
END
$$;

-- How many days ahead every writer has a partition for; readiness fails below 2.
CREATE FUNCTION ledger.days_ahead() RETURNS integer
    LANGUAGE sql STABLE
AS $$
    SELECT coalesce(min(days), 0)::integer
      FROM (SELECT p.relname,
                   max(to_date(right(c.relname, 8), 'YYYYMMDD')) - (now() AT TIME ZONE 'UTC')::date AS days
              FROM pg_inherits i
              JOIN pg_class c ON c.oid = i.inhrelid
              JOIN pg_class p ON p.oid = i.inhparent
             WHERE p.relname IN ('oplog_metadata', 'oplog_lease', 'oplog_reconciliation')
             GROUP BY p.relname) AS per_writer
$$;

REVOKE ALL ON FUNCTION ledger.prepare_days(integer), ledger.drop_days(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger.prepare_days(integer), ledger.drop_days(integer)
    TO weighbridge_metadata, weighbridge_lease, weighbridge_reconciliation;

SELECT ledger.prepare_days(14);
