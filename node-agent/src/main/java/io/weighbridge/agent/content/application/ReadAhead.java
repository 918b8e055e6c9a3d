package io.weighbridge.agent.content.application;

import io.netty.buffer.ByteBuf;
import io.weighbridge.agent.content.domain.ByteRange;
import io.weighbridge.agent.flow.BlockingThreads;
import io.weighbridge.agent.flow.ByteBudget;
import io.weighbridge.agent.flow.LentBuf;
import io.weighbridge.agent.tier.ContentDigest;
import io.weighbridge.agent.tier.DamagedException;
import io.weighbridge.agent.tier.ExtentReader;
import io.weighbridge.agent.tier.SealedContent;
import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Gives out one range piece by piece, a few ahead of the network and no more, and ends when the network has taken the
 * last one. Files are read on blocking threads; memory is shown in place.
 */
final class ReadAhead {

    /** Chunks of a file that may be in memory at once. */
    static final int CHUNKS = 2;

    /** Pieces of memory that may wait for the network: they cost nothing, but what waits may outlive its lease. */
    private static final int PIECES = 4;

    private static final int PIECE_BYTES = 1 << 20;

    private final ExtentReader reader;
    private final ByteRange range;
    private final Runnable mayRead;
    private final BlockingThreads threads;
    private final @Nullable InPlaceCheck inPlace;
    private final int step;
    private final int window;
    private final ByteBudget ahead;

    /** A piece that was read and has not been handed on: who stops the download in that moment releases it. */
    private final AtomicReference<Slot> slot = new AtomicReference<>(Slot.FREE);

    private sealed interface Slot {
        Slot FREE = new Empty(false);
        Slot OVER = new Empty(true);

        record Empty(boolean over) implements Slot {}

        record Read(ByteBuf piece) implements Slot {}
    }

    /** @param mayRead throws when reading is not allowed any more */
    ReadAhead(ExtentReader reader, ByteRange range, Runnable mayRead, BlockingThreads threads) {
        this.reader = reader;
        this.range = range;
        this.mayRead = mayRead;
        this.threads = threads;
        SealedContent content = reader.extent().content();
        this.inPlace = reader.isInPlace() && content != null ? new InPlaceCheck(content) : null;
        this.step = reader.isInPlace() ? PIECE_BYTES : ContentDigest.CRC_CHUNK_BYTES;
        this.window = reader.isInPlace() ? PIECES : CHUNKS;
        this.ahead = new ByteBudget(window);
    }

    Flux<ByteBuf> pieces() {
        int first = Math.toIntExact(range.from() / step);
        int last = Math.toIntExact((range.to() - 1) / step);
        return Flux.range(first, last - first + 1)
                .concatMap(
                        piece -> ahead.acquire(1)
                                .flatMap(permit -> read(piece, permit.hold()))
                                .map(this::handOn),
                        1)
                .concatWith(Mono.defer(() -> ahead.acquire(window))
                        .doOnNext(ByteBudget.Permit::hold)
                        .then(Mono.empty()))
                .doFinally(signal -> over());
    }

    private Mono<ByteBuf> read(int piece, ByteBudget.Permit permit) {
        if (reader.isInPlace()) {
            return Mono.fromCallable(() -> take(piece, permit));
        }
        return threads.call(() -> take(piece, permit));
    }

    private ByteBuf take(int piece, ByteBudget.Permit permit) throws IOException {
        mayRead.run();
        ByteBuf bytes = lend(piece, permit);
        if (!slot.compareAndSet(Slot.FREE, new Slot.Read(bytes))) {
            bytes.release();
            throw new CancellationException("the download is over");
        }
        return bytes;
    }

    private ByteBuf lend(int piece, ByteBudget.Permit permit) throws IOException {
        long from = Math.max(range.from(), (long) piece * step);
        long to = Math.min(range.to(), (piece + 1L) * step);
        ByteBuf bytes = reader.read(from, (int) (to - from));
        if (inPlace != null) {
            try {
                inPlace.check(from, bytes);
            } catch (DamagedException e) {
                bytes.release();
                throw e;
            }
        }
        return new LentBuf(bytes.nioBuffer(), () -> {
            bytes.release();
            permit.close();
        });
    }

    private ByteBuf handOn(ByteBuf bytes) {
        if (slot.getAndUpdate(now -> now == Slot.OVER ? now : Slot.FREE) == Slot.OVER) {
            throw new CancellationException("the download is over");
        }
        return bytes;
    }

    private void over() {
        if (slot.getAndSet(Slot.OVER) instanceof Slot.Read(ByteBuf piece)) {
            piece.release();
        }
    }
}
