package io.weighbridge.agent.transfer;

import io.netty.buffer.ByteBuf;
import io.weighbridge.agent.tier.ContentDigest;
import io.weighbridge.wire.StartTransfers;
import java.util.List;
import java.util.function.Consumer;
import reactor.core.publisher.Mono;

/** A way to fetch bytes from a source. The port's adapters differ in technology only. */
public interface Transport {

    /** As {@code GET /v1/node} and transfers tell it. */
    String name();

    /** True when it can fetch from this source. */
    boolean reaches(StartTransfers.Source source);

    /**
     * Fetches one span of an object in order. Every buffer is given to the receiver on a thread that may block, and is
     * released afterwards.
     *
     * @param source with a live read lease
     * @return completes after the last byte was taken; LEASE_EXPIRED and the source's other refusals, any error when it
     *     breaks off, and what the receiver throws
     */
    Mono<Void> pull(StartTransfers.Source source, String key, ContentDigest.Span span, Receiver receiver);

    /** Takes the bytes of a span. */
    @FunctionalInterface
    interface Receiver {

        /**
         * Called once, before the first byte.
         *
         * @param crc32c checksums that the source has of the span's chunks, from the first on; empty when it tells none
         */
        Consumer<ByteBuf> expecting(List<Long> crc32c);
    }
}
