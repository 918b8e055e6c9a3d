package io.weighbridge.metadata.object.domain;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Why an object is, or is not, readable: the ledger's layers, from the put outwards (spec 2.7). */
public final class Diagnosed {

    private Diagnosed() {}

    /** What a layer means for reading. */
    public enum Verdict {
        OK,
        WARNING,
        BLOCKING
    }

    /**
     * One layer.
     *
     * @param nextStep what to do about it; null when there is nothing to do
     */
    public record Layer(
            String name,
            Verdict verdict,
            String evidence,
            @Nullable String nextStep) {}

    /** The layers of one object; its copies stand as their segments and nodes do now. */
    public static List<Layer> layers(Put put, Instant now) {
        List<Layer> layers = new ArrayList<>();
        layers.add(object(put));
        put.attempts().stream().filter(Attempt::isPending).forEach(attempt -> layers.add(pending(put, attempt, now)));
        for (Copy copy : put.copies()) {
            layers.add(replica(copy, now));
            segment(copy).ifPresent(layers::add);
        }
        boolean readable = isReadable(put);
        if (!readable && put.copies().stream().noneMatch(copy -> !copy.isTerminal())) {
            layers.add(new Layer(
                    "replica",
                    Verdict.BLOCKING,
                    "no replica is COMPLETE or under way",
                    "write the key again, or repair its revision while another copy exists"));
        }
        return layers;
    }

    /** The verdict over all layers. */
    public static boolean isReadable(Put put) {
        return put.content() != null
                && put.content().isCommitted()
                && put.copies().stream().anyMatch(Copy::isReadable);
    }

    private static Layer object(Put put) {
        Content content = put.content();
        if (content == null || !content.isCommitted()) {
            return new Layer(
                    "object",
                    Verdict.BLOCKING,
                    "no put of this key has ended",
                    "wait for the writer, or start the put again");
        }
        return new Layer(
                "object",
                Verdict.OK,
                "version " + content.objectVersion() + ", " + content.size() + " bytes, committed at "
                        + content.committedAt(),
                null);
    }

    private static Layer pending(Put put, Attempt attempt, Instant now) {
        List<Copy> targets = put.copiesOf(attempt.putId());
        long stored = targets.stream().filter(copy -> copy.stored() != null).count();
        String what = attempt.operationId() == null ? "a put" : "a copy for operation " + attempt.operationId();
        String evidence = what + " by " + attempt.subject() + " was started " + age(attempt.startedAt(), now)
                + " ago; " + stored + " of " + targets.size() + " targets have stored all bytes; it expires at "
                + attempt.expiresAt();
        String next = stored == targets.size()
                ? "the writer has to end the put"
                : "the writer has to send the bytes; look at it, or wait for the expiry";
        boolean blocks = attempt.operationId() == null;
        return new Layer("put", blocks ? Verdict.BLOCKING : Verdict.WARNING, evidence, next);
    }

    private static Layer replica(Copy copy, Instant now) {
        String at = "replica " + copy.replicaId() + " on node " + copy.nodeId() + " (" + copy.tier() + ") is "
                + copy.state();
        return switch (copy.state()) {
            case COMPLETE -> new Layer("replica", Verdict.OK, at, null);
            case INITIALIZED ->
                new Layer(
                        "replica",
                        Verdict.BLOCKING,
                        at + " for " + age(copy.createdAt(), now) + ": no byte has arrived",
                        "see the put");
            case PROCESSING ->
                new Layer(
                        "replica",
                        Verdict.BLOCKING,
                        at + " for "
                                + age(copy.openedAt() == null ? copy.createdAt() : copy.openedAt(), now)
                                + (copy.stored() == null ? ": bytes are arriving" : ": all bytes are stored"),
                        "a transfer that succeeded is readable only after the put has ended");
            case FAILED ->
                new Layer(
                        "replica",
                        Verdict.BLOCKING,
                        at + ": the bytes are not what was promised",
                        "revoke the put and write again");
            case REMOVED ->
                new Layer("replica", Verdict.WARNING, at + " since " + copy.retiredAt() + "; " + reclaim(copy), null);
        };
    }

    private static String reclaim(Copy copy) {
        if (!copy.tokenClosed()) {
            return "its agent has not closed the write token yet";
        }
        return copy.reclaimAfter() == null
                ? "its bytes wait for the last read leases"
                : "its bytes may be freed from " + copy.reclaimAfter();
    }

    private static Optional<Layer> segment(Copy copy) {
        if (copy.isTerminal()) {
            return Optional.empty();
        }
        String where = "segment " + copy.segmentId() + " of node " + copy.nodeId();
        return switch (copy.standing()) {
            case SOUND -> Optional.of(new Layer("segment", Verdict.OK, where + " is mounted", null));
            case VERIFYING ->
                Optional.of(new Layer(
                        "segment",
                        Verdict.BLOCKING,
                        where + " is being verified by its restarted agent",
                        "wait until the agent has mounted it"));
            case AWAY ->
                Optional.of(new Layer(
                        "segment",
                        Verdict.BLOCKING,
                        where + ": the node is dead, or the segment unmounted or quarantined",
                        "look at the node; a repair makes copies elsewhere"));
            case MOVED ->
                Optional.of(new Layer(
                        "segment",
                        Verdict.BLOCKING,
                        where + " has a newer epoch than " + copy.segmentEpoch() + ": its bytes are lost",
                        "write the key again, or repair its revision"));
        };
    }

    private static String age(Instant since, Instant now) {
        return Math.max(0, Duration.between(since, now).toMillis()) + " ms";
    }
}
