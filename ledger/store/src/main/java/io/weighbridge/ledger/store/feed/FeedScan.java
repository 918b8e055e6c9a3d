package io.weighbridge.ledger.store.feed;

import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.wire.FeedEntry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one statement has seen: entries, and how far it looked.
 *
 * @param clock of the very statement
 * @param entries that matched, in feed order
 * @param scannedTo the last entry looked at, matching or not; null when there was none
 * @param complete nothing before the watermark is left to see
 */
record FeedScan(Clock clock, List<Entry> entries, @Nullable FeedPosition scannedTo, boolean complete) {

    /** An entry and its place. */
    record Entry(FeedPosition position, FeedEntry body) {}

    /**
     * The ledger's time: transactions, not seconds.
     *
     * @param epoch the ledger epoch now
     * @param xmin the watermark: every transaction below it is over
     * @param snapshot the whole snapshot; equal texts mean that nothing has been committed in between
     * @param horizon entries up to here may have been dropped
     */
    record Clock(long epoch, long xmin, String snapshot, FeedPosition horizon) {

        FeedPosition watermark() {
            return FeedPosition.below(epoch, xmin);
        }

        /** Some transaction is under way and holds the watermark back. */
        boolean isHeld() {
            String[] parts = snapshot.split(":", -1);
            return !parts[0].equals(parts[1]);
        }

        /** @throws ProblemException FEED_RESET when what follows this cursor is not all there any more */
        void require(FeedCursor cursor) {
            if (cursor.issuedIn() != epoch) {
                throw reset("the ledger was restored or failed over since this cursor was given out");
            }
            if (cursor.position().isBefore(horizon)) {
                throw reset("entries after this cursor have been dropped");
            }
        }
    }

    static ProblemException reset(String why) {
        return new ProblemException(ProblemCode.FEED_RESET, why + "; list again and follow from 'now'");
    }

    /** From where the next scan goes on: where this one stopped, or the watermark when it saw everything. */
    FeedPosition next(FeedPosition from) {
        FeedPosition reached = complete ? clock.watermark() : scannedTo == null ? from : scannedTo;
        return reached.isBefore(from) ? from : reached;
    }
}
