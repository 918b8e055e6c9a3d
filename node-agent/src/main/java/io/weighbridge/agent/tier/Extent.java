package io.weighbridge.agent.tier;

import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The life of one extent: reserved, written by one writer at a time, sealed, read by many, freed. An extent in use is
 * not freed under its user: the space returns when the last reader and the writer have gone.
 */
public final class Extent implements ExtentBytes.Users {

    private final ExtentSpec spec;
    private final ExtentBytes bytes;
    private final Segment segment;
    private final ContentDigest digest;
    private final ContentDigest.Lane inOrder;
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private final CompletableFuture<Void> gone = new CompletableFuture<>();
    private volatile boolean trusted;
    private volatile boolean acknowledged;
    private @Nullable SealedContent content;
    private boolean writing;
    private int references;
    private boolean closing;
    private boolean discarding;

    Extent(ExtentSpec spec, ExtentBytes bytes, Segment segment, @Nullable SealedContent content) {
        this.spec = spec;
        this.bytes = bytes;
        this.segment = segment;
        this.content = content;
        this.trusted = content == null;
        this.digest = new ContentDigest(spec.type(), content == null ? spec.size() : 0);
        this.inOrder = digest.lane(new ContentDigest.Span(0, content == null ? spec.size() : 0), List.of());
    }

    public ExtentSpec spec() {
        return spec;
    }

    public Segment segment() {
        return segment;
    }

    /** What was sealed; null while bytes are missing. */
    public synchronized @Nullable SealedContent content() {
        return content;
    }

    /** Where an upload in order continues; the size once sealed. */
    public synchronized long written() {
        return content == null ? inOrder.position() : spec.size();
    }

    /** Completes when the extent is to be freed: whoever uses it shall stop. */
    public CompletableFuture<Void> closed() {
        return closed.copy();
    }

    /** True when the bytes were written or verified by this process. */
    public boolean isTrusted() {
        return trusted;
    }

    public void trust() {
        trusted = true;
    }

    /** True when the ledger has answered that it knows of the whole copy. */
    public boolean isAcknowledged() {
        return acknowledged;
    }

    public void acknowledge() {
        acknowledged = true;
    }

    /** True while somebody writes. */
    public synchronized boolean isWriting() {
        return writing;
    }

    /**
     * Takes the exclusive right to write.
     *
     * @throws ProblemException STALE_TOKEN when freed, CONFLICT when sealed, BUSY when another writer is at work
     */
    public synchronized ExtentWriter write() {
        if (closing) {
            throw new ProblemException(ProblemCode.STALE_TOKEN, "the copy's write token is closed");
        }
        if (content != null) {
            throw new ProblemException(ProblemCode.CONFLICT, "the copy is whole; offset is " + spec.size());
        }
        if (writing) {
            throw new ProblemException(ProblemCode.BUSY, "another upload of this copy is in progress");
        }
        writing = true;
        references++;
        return new ExtentWriter(this, bytes, digest, inOrder);
    }

    /**
     * Opens the sealed bytes.
     *
     * @throws ProblemException NOT_FOUND when they are not whole or freed
     * @throws IOException when they cannot be opened
     */
    public ExtentReader read() throws IOException {
        retain();
        try {
            return new ExtentReader(this, bytes.open(this));
        } catch (IOException e) {
            leave();
            throw e;
        }
    }

    /** Stops all use and returns the space after the last user. Repeating is harmless and retries a failed deletion. */
    CompletableFuture<Void> free() {
        boolean discard;
        synchronized (this) {
            closing = true;
            discard = takeDiscard();
        }
        segment.threads().execute(() -> closed.complete(null));
        if (discard) {
            discard();
        }
        return gone.copy();
    }

    @Override
    public synchronized void join() {
        references++;
    }

    private synchronized void retain() {
        if (content == null || closing) {
            throw new ProblemException(ProblemCode.NOT_FOUND, "this copy is not here");
        }
        references++;
    }

    @Override
    public void leave() {
        boolean discard;
        synchronized (this) {
            references--;
            discard = takeDiscard();
        }
        if (discard) {
            discard();
        }
    }

    void writerGone() {
        synchronized (this) {
            writing = false;
        }
        leave();
    }

    synchronized void sealedAs(SealedContent sealed) {
        content = sealed;
    }

    private boolean takeDiscard() {
        boolean now = closing && references == 0 && !discarding;
        discarding |= now;
        return now;
    }

    private void discard() {
        segment.threads().execute(() -> {
            try {
                bytes.discard();
                segment.discarded(this);
                gone.complete(null);
            } catch (IOException e) {
                segment.failed(e);
                synchronized (this) {
                    discarding = false;
                }
            }
        });
    }
}
