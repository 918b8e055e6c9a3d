package io.weighbridge.agent.transfer.application;

import io.netty.buffer.ByteBuf;
import io.weighbridge.agent.flow.BlockingThreads;
import io.weighbridge.agent.registration.application.NodeIdentity;
import io.weighbridge.agent.registration.application.ReadLeases;
import io.weighbridge.agent.registration.application.ReportQueue;
import io.weighbridge.agent.tier.ContentDigest;
import io.weighbridge.agent.tier.DamagedException;
import io.weighbridge.agent.tier.Extent;
import io.weighbridge.agent.tier.ExtentReader;
import io.weighbridge.agent.tier.SealedContent;
import io.weighbridge.agent.transfer.Transport;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.wire.Reports;
import io.weighbridge.wire.StartTransfers;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** From one tier of this node to another. */
public final class LocalTransport implements Transport {

    private static final int PIECE_BYTES = 1 << 20;

    private final NodeIdentity identity;
    private final ReadLeases leases;
    private final ReportQueue reports;
    private final BlockingThreads threads;

    public LocalTransport(NodeIdentity identity, ReadLeases leases, ReportQueue reports, BlockingThreads threads) {
        this.identity = identity;
        this.leases = leases;
        this.reports = reports;
        this.threads = threads;
    }

    @Override
    public String name() {
        return "local";
    }

    @Override
    public boolean reaches(StartTransfers.Source source) {
        return source.nodeId().equals(identity.nodeId());
    }

    @Override
    public Mono<Void> pull(StartTransfers.Source source, String key, ContentDigest.Span span, Receiver receiver) {
        return leases.verify(source.readLease(), key).flatMap(lease -> {
            Extent extent = leases.extent(lease);
            Consumer<ByteBuf> taker = receiver.expecting(checksums(extent, span));
            return Flux.usingWhen(
                            threads.call(extent::read),
                            reader -> pieces(reader, span),
                            reader -> Mono.fromRunnable(reader::close))
                    .doOnNext(bytes -> {
                        try {
                            taker.accept(bytes);
                        } finally {
                            bytes.release();
                        }
                    })
                    .then()
                    .onErrorMap(LocalTransport::isDamage, e -> damaged(extent));
        });
    }

    /** Runs on the thread that opened the reader, which may block. */
    private static Flux<ByteBuf> pieces(ExtentReader reader, ContentDigest.Span span) {
        return Flux.generate(span::from, (position, sink) -> {
            try {
                ByteBuf bytes = reader.read(position, (int) Math.min(PIECE_BYTES, span.to() - position));
                long next = position + bytes.readableBytes();
                sink.next(bytes);
                if (next == span.to()) {
                    sink.complete();
                }
                return next;
            } catch (IOException e) {
                sink.error(e);
                return position;
            }
        });
    }

    private static List<Long> checksums(Extent extent, ContentDigest.Span span) {
        SealedContent content = extent.content();
        int first = (int) (span.from() / ContentDigest.CRC_CHUNK_BYTES);
        return content == null ? List.of() : content.crc32c().subList(first, ContentDigest.crcChunks(span.to()));
    }

    /** Files are checked as they are read; what memory shows in place is checked by the receiver. */
    private static boolean isDamage(Throwable e) {
        return e instanceof DamagedException
                || (e instanceof ProblemException refusal && refusal.problem().code() == ProblemCode.CHECKSUM_MISMATCH);
    }

    private ProblemException damaged(Extent extent) {
        reports.report(extent.spec().replicaId(), Reports.Event.CORRUPT).subscribe(done -> {}, e -> {});
        return new ProblemException(ProblemCode.CHECKSUM_MISMATCH, "the source's bytes are damaged");
    }
}
