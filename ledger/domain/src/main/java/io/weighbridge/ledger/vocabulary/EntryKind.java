package io.weighbridge.ledger.vocabulary;

/** The kinds of oplog entries (spec 1.9). Numbers are stored and never reused; the last one given out is 18. */
public enum EntryKind {
    ImportBegun(1, "revision"),
    ImportCommitted(2, "revision"),
    ImportAborted(3, "revision"),
    ImportTakenOver(4, "revision"),
    DeleteStarted(5, "revision"),
    DeleteFinished(6, "revision"),
    OperationStarted(7, "revision"),
    OperationProgressed(8, "operation"),
    OperationFinished(9, "revision"),
    OperationCancelled(10, "revision"),
    PlacementSet(11, "revision"),
    RevisionObserved(12, "revision"),
    LeaseGranted(13, "lease"),
    LeaseReturned(14, "lease"),
    ObjectCommitted(15, "object"),
    ReplicaRetired(16, "replica"),
    NodeStateChanged(17, "node"),
    ReplicaCommitted(18, "replica");

    private final short number;
    private final String entity;

    EntryKind(int number, String entity) {
        this.number = (short) number;
        this.entity = entity;
    }

    /** What the oplog stores. */
    public short number() {
        return number;
    }

    /** What kind of thing the entry's post-state is. */
    public String entity() {
        return entity;
    }

    /** @throws IllegalArgumentException for a number that was never given out */
    public static EntryKind ofNumber(int number) {
        for (EntryKind kind : values()) {
            if (kind.number == number) {
                return kind;
            }
        }
        throw new IllegalArgumentException("no oplog entry kind has the number " + number);
    }
}
