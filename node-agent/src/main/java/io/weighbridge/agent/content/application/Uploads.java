package io.weighbridge.agent.content.application;

import io.weighbridge.agent.flow.BlockingThreads;
import io.weighbridge.agent.registration.application.WriteTokens;
import io.weighbridge.agent.tier.Extent;
import io.weighbridge.agent.tier.ExtentWriter;
import io.weighbridge.agent.tier.SealedContent;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.ledger.token.WriteToken;
import io.weighbridge.wire.ContentStored;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Takes the bytes of a copy (spec 2.2): in order, resumable, by one writer at a time. The caller hears of success only
 * when the ledger knows.
 */
public final class Uploads {

    /** Received buffers that may wait for one writer. */
    private static final int BUFFERS_WAITING = 16;

    private final WriteTokens tokens;
    private final StoredReports reports;
    private final BlockingThreads threads;
    private final Duration patience;

    /**
     * One request.
     *
     * @param offset where its first byte belongs
     * @param length bytes of the body, negative when not announced
     */
    public record Request(String key, String writeToken, long offset, long length, Flux<DataBuffer> body) {}

    /** Where an upload stands. */
    public record Progress(long offset, long size) {}

    /** @param patience how long an upload may send nothing before it is cut; what it sent stays */
    public Uploads(WriteTokens tokens, StoredReports reports, BlockingThreads threads, Duration patience) {
        this.tokens = tokens;
        this.reports = reports;
        this.threads = threads;
        this.patience = patience;
    }

    /** Where the upload under this token would continue; the size when the copy is whole. */
    public Mono<Progress> progress(String key, String writeToken) {
        return tokens.verify(writeToken, key).map(grant -> {
            Extent extent = tokens.check(grant).find(grant.replicaId());
            return new Progress(extent == null ? 0 : extent.written(), grant.size());
        });
    }

    /**
     * Stores the body.
     *
     * @return the refusals of {@link WriteTokens}, CONFLICT with the current offset, PAYLOAD_TOO_LARGE, NO_SPACE, BUSY
     */
    public Mono<Uploaded> store(Request request) {
        return tokens.verify(request.writeToken, request.key)
                .flatMap(grant -> threads.call(() -> open(request, grant))
                        .flatMap(extent -> extent.content() != null
                                ? whole(extent, request.writeToken, false)
                                : Mono.usingWhen(
                                        Mono.fromCallable(extent::write),
                                        writer -> receive(request, grant, extent, writer),
                                        writer -> Mono.fromRunnable(writer::close))));
    }

    private Extent open(Request request, WriteToken.Grant grant) throws IOException {
        Extent present = tokens.check(grant).find(grant.replicaId());
        if (present != null && present.content() != null) {
            return present;
        }
        long current = present == null ? 0 : present.written();
        if (request.offset != current) {
            throw new ProblemException(ProblemCode.CONFLICT, "the upload stands at offset " + current);
        }
        if (request.length > grant.size() - request.offset) {
            throw tooLarge(grant);
        }
        return tokens.extent(grant, request.key);
    }

    private Mono<Uploaded> receive(Request request, WriteToken.Grant grant, Extent extent, ExtentWriter writer) {
        // Another request may have moved on between the look and the right to write.
        if (extent.written() != request.offset) {
            return Mono.error(
                    new ProblemException(ProblemCode.CONFLICT, "the upload stands at offset " + extent.written()));
        }
        Silence silence = new Silence(patience);
        return request.body
                .publishOn(threads.scheduler(), BUFFERS_WAITING)
                .doOnNext(buffer -> take(buffer, grant, extent, writer, request, silence))
                .doOnDiscard(DataBuffer.class, DataBufferUtils::release)
                .takeUntilOther(closed(extent))
                .takeUntilOther(silence.tooLong())
                .then(Mono.defer(() -> finish(request, extent, writer)))
                .doOnError(Uploads::isTooLarge, e -> tokens.abandon(grant.replicaId()));
    }

    private void take(
            DataBuffer buffer,
            WriteToken.Grant grant,
            Extent extent,
            ExtentWriter writer,
            Request request,
            Silence silence) {
        try (DataBuffer.ByteBufferIterator parts = buffer.readableByteBuffers()) {
            tokens.ensureAlive(grant);
            boolean first = extent.written() == 0;
            while (parts.hasNext()) {
                ByteBuffer part = parts.next();
                writer.append(part);
            }
            if (first) {
                reports.opened(grant.replicaId(), request.writeToken);
            }
            silence.broken();
        } catch (IOException e) {
            throw new ProblemException(ProblemCode.UNAVAILABLE, "the segment's storage failed");
        } finally {
            DataBufferUtils.release(buffer);
        }
    }

    private Mono<Uploaded> finish(Request request, Extent extent, ExtentWriter writer) {
        long written = extent.written();
        if (written < extent.spec().size()) {
            return Mono.just(new Uploaded.Partial(written, extent.spec().size()));
        }
        return threads.call(writer::seal)
                .onErrorMap(
                        IOException.class,
                        e -> new ProblemException(ProblemCode.UNAVAILABLE, "the segment's storage failed"))
                .flatMap(content -> whole(extent, request.writeToken, true));
    }

    private Mono<Uploaded> whole(Extent extent, String writeToken, boolean now) {
        return reports.stored(extent, writeToken).map(content -> new Uploaded.Whole(stored(extent, content), now));
    }

    private static ContentStored stored(Extent extent, SealedContent content) {
        return new ContentStored(extent.spec().replicaId(), content.size(), content.digest());
    }

    private static Mono<Void> closed(Extent extent) {
        return Mono.fromFuture(extent.closed(), true)
                .then(Mono.error(() ->
                        new ProblemException(ProblemCode.STALE_TOKEN, "the write token was closed while writing")));
    }

    private static ProblemException tooLarge(WriteToken.Grant grant) {
        return new ProblemException(ProblemCode.PAYLOAD_TOO_LARGE, "the write token is for " + grant.size() + " bytes");
    }

    private static boolean isTooLarge(Throwable e) {
        return e instanceof ProblemException refusal && refusal.problem().code() == ProblemCode.PAYLOAD_TOO_LARGE;
    }
}
