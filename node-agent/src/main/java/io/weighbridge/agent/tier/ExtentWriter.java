package io.weighbridge.agent.tier;

import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The exclusive right to write one extent. What is written stays when the writer goes, and the next one continues. All
 * methods but {@link #close} may block; the right ends when it is closed and the last call in progress has returned.
 */
public final class ExtentWriter implements AutoCloseable {

    private final Extent extent;
    private final ExtentBytes bytes;
    private final ContentDigest digest;
    private final ContentDigest.Lane inOrder;
    private final AtomicBoolean open = new AtomicBoolean(true);

    /** The holder and each call in progress. */
    private final AtomicInteger users = new AtomicInteger(1);

    ExtentWriter(Extent extent, ExtentBytes bytes, ContentDigest digest, ContentDigest.Lane inOrder) {
        this.extent = extent;
        this.bytes = bytes;
        this.digest = digest;
        this.inOrder = inOrder;
    }

    /**
     * Appends the buffer's remaining bytes and leaves it empty.
     *
     * @throws ProblemException PAYLOAD_TOO_LARGE when they do not fit; nothing is written then
     */
    public void append(ByteBuffer source) throws IOException {
        write(inOrder, source);
    }

    /** A run over one of the {@link #missing} spans; several may be written at once. */
    public ContentDigest.Lane lane(ContentDigest.Span span, List<Long> expectedCrc32c) {
        return digest.lane(span, expectedCrc32c);
    }

    /** As {@link #append}, at the lane's position. */
    public void write(ContentDigest.Lane lane, ByteBuffer source) throws IOException {
        if (source.remaining() > lane.span().to() - lane.position()) {
            throw new ProblemException(ProblemCode.PAYLOAD_TOO_LARGE, "more bytes arrived than were announced");
        }
        enter();
        try {
            ByteBuffer again = source.duplicate();
            // First the bytes, then the digest: when writing fails, the lane still stands where it can continue.
            bytes.write(lane.position(), source);
            lane.update(again);
        } catch (IOException e) {
            throw extent.segment().failed(e);
        } finally {
            leave();
        }
    }

    /** What is not complete yet, in spans of at most {@code atMost} bytes. */
    public List<ContentDigest.Span> missing(long atMost) {
        return digest.missing(atMost);
    }

    /** Bytes in complete digest chunks. */
    public long completeBytes() {
        return digest.completeBytes();
    }

    /** Forgets what was written by lanes: it was not what it should be. */
    public void reset() {
        digest.reset();
    }

    /** Forgets one span: its bytes must come again. */
    public void forget(ContentDigest.Span span) {
        digest.forget(span);
    }

    /** The digest of the bytes, all of which must be there. */
    public SealedContent digest() {
        return digest.finish();
    }

    /** Makes the bytes durable and readable. */
    public SealedContent seal() throws IOException {
        enter();
        try {
            SealedContent content = digest.finish();
            bytes.seal(content);
            extent.sealedAs(content);
            return content;
        } catch (IOException e) {
            throw extent.segment().failed(e);
        } finally {
            leave();
        }
    }

    @Override
    public void close() {
        if (open.compareAndSet(true, false)) {
            leave();
        }
    }

    private void enter() {
        boolean entered = users.getAndUpdate(count -> count == 0 ? 0 : count + 1) > 0;
        if (entered && open.get()) {
            return;
        }
        if (entered) {
            leave();
        }
        throw new CancellationException("the writer is closed");
    }

    private void leave() {
        if (users.decrementAndGet() == 0) {
            extent.writerGone();
        }
    }
}
