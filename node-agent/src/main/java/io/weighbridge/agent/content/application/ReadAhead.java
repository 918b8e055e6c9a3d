package io.weighbridge.agent.content.application;

import io.netty.buffer.ByteBuf;
import io.weighbridge.agent.content.domain.ByteRange;
import io.weighbridge.agent.flow.BlockingThreads;
import io.weighbridge.agent.flow.ByteBudget;
import io.weighbridge.agent.flow.LentBuf;
import io.weighbridge.agent.tier.ContentDigest;
import io.weighbridge.agent.tier.ExtentReader;
import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Reads the chunks of one range on blocking threads, a few ahead of the network and no more. */
final class ReadAhead {

    /** Chunks that may be in memory at once. */
    static final int CHUNKS = 2;

    private static final int CHUNK = ContentDigest.CRC_CHUNK_BYTES;

    private final ExtentReader reader;
    private final ByteRange range;
    private final Runnable mayRead;
    private final BlockingThreads threads;
    private final ByteBudget ahead = new ByteBudget(CHUNKS);

    /** A chunk that was read and has not been handed on: who stops the download in that moment releases it. */
    private final AtomicReference<Slot> slot = new AtomicReference<>(Slot.FREE);

    private sealed interface Slot {
        Slot FREE = new Empty(false);
        Slot OVER = new Empty(true);

        record Empty(boolean over) implements Slot {}

        record Read(ByteBuf chunk) implements Slot {}
    }

    /** @param mayRead throws when reading is not allowed any more */
    ReadAhead(ExtentReader reader, ByteRange range, Runnable mayRead, BlockingThreads threads) {
        this.reader = reader;
        this.range = range;
        this.mayRead = mayRead;
        this.threads = threads;
    }

    Flux<ByteBuf> chunks() {
        int first = Math.toIntExact(range.from() / CHUNK);
        int last = Math.toIntExact((range.to() - 1) / CHUNK);
        return Flux.range(first, last - first + 1)
                .concatMap(
                        chunk -> ahead.acquire(1)
                                .flatMap(permit -> read(chunk, permit.hold()))
                                .map(this::handOn),
                        1)
                .doFinally(signal -> over());
    }

    private Mono<ByteBuf> read(int chunk, ByteBudget.Permit permit) {
        return threads.call(() -> {
            mayRead.run();
            ByteBuf bytes = lend(chunk, permit);
            if (!slot.compareAndSet(Slot.FREE, new Slot.Read(bytes))) {
                bytes.release();
                throw new CancellationException("the download is over");
            }
            return bytes;
        });
    }

    private ByteBuf lend(int chunk, ByteBudget.Permit permit) throws IOException {
        long from = Math.max(range.from(), (long) chunk * CHUNK);
        long to = Math.min(range.to(), (chunk + 1L) * CHUNK);
        ByteBuf bytes = reader.read(from, (int) (to - from));
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
        if (slot.getAndSet(Slot.OVER) instanceof Slot.Read(ByteBuf chunk)) {
            chunk.release();
        }
    }
}
