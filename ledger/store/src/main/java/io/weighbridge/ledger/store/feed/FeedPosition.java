package io.weighbridge.ledger.store.feed;

import java.util.Comparator;

/**
 * A place in feed order: after the entry with these numbers. It need not be an entry's: everything up to it is over.
 *
 * @param epoch the ledger epoch
 * @param xid of the writing transaction
 * @param seq of the entry
 */
record FeedPosition(long epoch, long xid, long seq) implements Comparable<FeedPosition> {

    /** Before every entry. */
    static final FeedPosition START = new FeedPosition(0, 0, 0);

    private static final Comparator<FeedPosition> ORDER = Comparator.comparingLong(FeedPosition::epoch)
            .thenComparingLong(FeedPosition::xid)
            .thenComparingLong(FeedPosition::seq);

    /** After everything that the watermark has let through. */
    static FeedPosition below(long epoch, long xmin) {
        return new FeedPosition(epoch, xmin - 1, Long.MAX_VALUE);
    }

    boolean isBefore(FeedPosition other) {
        return compareTo(other) < 0;
    }

    @Override
    public int compareTo(FeedPosition other) {
        return ORDER.compare(this, other);
    }
}
