package io.weighbridge.agent.content.application;

import io.netty.buffer.ByteBuf;
import io.weighbridge.agent.content.domain.ByteRange;
import io.weighbridge.agent.flow.BlockingThreads;
import io.weighbridge.agent.flow.ByteBudget;
import io.weighbridge.agent.registration.application.LedgerClock;
import io.weighbridge.agent.registration.application.ReadLeases;
import io.weighbridge.agent.registration.application.ReportQueue;
import io.weighbridge.agent.tier.ContentDigest;
import io.weighbridge.agent.tier.DamagedException;
import io.weighbridge.agent.tier.Extent;
import io.weighbridge.agent.tier.ExtentReader;
import io.weighbridge.agent.tier.SealedContent;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.ledger.token.ReadLease;
import io.weighbridge.wire.Reports;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Gives bytes to whoever holds a live lease (spec 2.3). Memory is shown in place; files are read in checked chunks, as
 * many at once as the budget allows. When the lease ends before the last byte has gone, the answer breaks off.
 */
public final class Downloads {

    private final ReadLeases leases;
    private final LedgerClock clock;
    private final ReportQueue reports;
    private final BlockingThreads threads;
    private final ByteBudget budget;

    /**
     * What a reader gets.
     *
     * @param size of the whole object
     * @param crc32c checksums of the chunks of the range, when it begins at a chunk; otherwise empty
     */
    public record Content(long objectVersion, long size, ByteRange range, List<Long> crc32c, Flux<ByteBuf> bytes) {}

    public Downloads(
            ReadLeases leases, LedgerClock clock, ReportQueue reports, BlockingThreads threads, ByteBudget budget) {
        this.leases = leases;
        this.clock = clock;
        this.reports = reports;
        this.threads = threads;
        this.budget = budget;
    }

    /** Prepares an answer; the refusals are those of {@link ReadLeases} and RANGE_NOT_SATISFIABLE. */
    public Mono<Content> content(String key, String readLease, @Nullable String rangeHeader) {
        return leases.verify(readLease, key).map(lease -> {
            Extent extent = leases.extent(lease);
            ByteRange range = ByteRange.of(rangeHeader, extent.spec().size());
            return new Content(
                    lease.objectVersion(),
                    extent.spec().size(),
                    range,
                    checksums(extent, range),
                    bytes(lease, extent, range));
        });
    }

    private static List<Long> checksums(Extent extent, ByteRange range) {
        SealedContent content = extent.content();
        if (content == null || range.from() % ContentDigest.CRC_CHUNK_BYTES != 0 || range.length() == 0) {
            return List.of();
        }
        int first = (int) (range.from() / ContentDigest.CRC_CHUNK_BYTES);
        boolean wholeChunks = range.to() % ContentDigest.CRC_CHUNK_BYTES == 0 || range.to() == content.size();
        int end =
                wholeChunks ? ContentDigest.crcChunks(range.to()) : (int) (range.to() / ContentDigest.CRC_CHUNK_BYTES);
        return content.crc32c().subList(first, end);
    }

    private Flux<ByteBuf> bytes(ReadLease lease, Extent extent, ByteRange range) {
        if (range.length() == 0) {
            return Flux.empty();
        }
        Mono<Void> lost =
                Mono.defer(() -> Mono.delay(clock.until(lease.expiresAt()))).then(Mono.error(ReadLeases::expired));
        return Flux.usingWhen(
                        threads.call(extent::read),
                        reader -> pieces(reader, lease, range),
                        reader -> Mono.fromRunnable(reader::close))
                .takeUntilOther(lost)
                .onErrorMap(IOException.class, e -> damaged(extent, e));
    }

    private Flux<ByteBuf> pieces(ExtentReader reader, ReadLease lease, ByteRange range) {
        ReadAhead ahead = new ReadAhead(reader, range, () -> leases.ensureAlive(lease), threads);
        if (reader.isInPlace()) {
            return ahead.pieces();
        }
        long held = (long) ReadAhead.CHUNKS * ContentDigest.CRC_CHUNK_BYTES;
        return Flux.usingWhen(
                budget.acquire(Math.min(held, range.length())),
                permit -> {
                    permit.hold();
                    return ahead.pieces();
                },
                permit -> Mono.fromRunnable(permit::close));
    }

    private ProblemException damaged(Extent extent, IOException e) {
        if (e instanceof DamagedException) {
            reports.report(extent.spec().replicaId(), Reports.Event.CORRUPT).subscribe(done -> {}, failure -> {});
            return new ProblemException(ProblemCode.CHECKSUM_MISMATCH, "the stored bytes are damaged");
        }
        return new ProblemException(ProblemCode.UNAVAILABLE, "the segment's storage failed");
    }
}
