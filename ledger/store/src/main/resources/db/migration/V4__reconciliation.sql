-- reconciliation-service: which revisions need a look, and who looks (spec 1.8).

CREATE SCHEMA reconciliation;
GRANT USAGE ON SCHEMA reconciliation TO weighbridge_reconciliation;

-- Claims are short and fenced: a result that carries an older claim epoch is refused.
CREATE SEQUENCE reconciliation.claim_epoch_seq AS bigint;

CREATE TABLE reconciliation.work (
    revision_id text   COLLATE "C" PRIMARY KEY,
    due_at      timestamptz NOT NULL,
    claimed_by  uuid,
    claim_epoch bigint NOT NULL DEFAULT 0,
    claim_until timestamptz NOT NULL DEFAULT '-infinity',
    -- Woken while claimed: look again.
    woken       boolean NOT NULL DEFAULT false,
    failures    integer NOT NULL DEFAULT 0,
    last_error  text
);
CREATE INDEX work_due ON reconciliation.work (due_at);

-- Where each consumer of the feed has come to.
CREATE TABLE reconciliation.feed_cursor (
    consumer text PRIMARY KEY,
    cursor   text NOT NULL
);

GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA reconciliation TO weighbridge_reconciliation;
GRANT USAGE ON SEQUENCE reconciliation.claim_epoch_seq TO weighbridge_reconciliation;
