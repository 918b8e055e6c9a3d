package io.weighbridge.agent.transfer.application;

import io.netty.buffer.ByteBuf;
import io.weighbridge.agent.flow.ByteBudget;
import io.weighbridge.agent.registration.Ledger;
import io.weighbridge.agent.registration.application.LedgerClock;
import io.weighbridge.agent.registration.application.WriteTokens;
import io.weighbridge.agent.tier.ContentDigest;
import io.weighbridge.agent.tier.ExtentWriter;
import io.weighbridge.agent.transfer.Transport;
import io.weighbridge.ledger.key.TreeDigest;
import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.ledger.token.WriteToken;
import io.weighbridge.wire.StartTransfers;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Fetches what is missing of one copy from one source: spans in parallel, each under a lease that lives to its end. */
final class Pulling {

    /** One request's share: what is verified at once, small enough to end well within a lease. */
    static final long SPAN_BYTES = TreeDigest.CHUNK_BYTES;

    /** How often one span is begun anew because its lease ran out on the way. */
    private static final int RENEWALS_MAX = 5;

    /** What one stream holds between network and extent. */
    private static final long STREAM_BYTES = 4 << 20;

    private final List<Transport> transports;
    private final Ledger ledger;
    private final LedgerClock clock;
    private final WriteTokens tokens;
    private final ByteBudget budget;
    private final int streams;

    Pulling(
            List<Transport> transports,
            Ledger ledger,
            LedgerClock clock,
            WriteTokens tokens,
            ByteBudget budget,
            int streams) {
        this.transports = List.copyOf(transports);
        this.ledger = ledger;
        this.clock = clock;
        this.tokens = tokens;
        this.budget = budget;
        this.streams = streams;
    }

    /** Ends when every span is complete, with {@link SourceFailed} or {@link TargetFailed} otherwise. */
    Mono<Void> pull(TransferJob job, WriteToken.Grant grant, ExtentWriter writer, StartTransfers.Source source) {
        return Mono.defer(() -> {
                    Transport transport = transport(source);
                    job.by(transport.name());
                    SourceLease lease =
                            new SourceLease(source, grant.tenantId(), job.item().key(), ledger, clock);
                    return Flux.fromIterable(writer.missing(SPAN_BYTES))
                            .flatMap(
                                    span -> budgeted(pull(
                                            held -> once(job, grant, writer, transport, lease, held, span),
                                            lease,
                                            RENEWALS_MAX)),
                                    streams)
                            .then();
                })
                .onErrorMap(e -> !(e instanceof SourceFailed || e instanceof TargetFailed), Pulling::sourceFailed);
    }

    private Transport transport(StartTransfers.Source source) {
        return transports.stream()
                .filter(transport -> transport.reaches(source))
                .findFirst()
                .orElseThrow(
                        () -> new ProblemException(ProblemCode.UNSUPPORTED, "no transport reaches " + source.url()));
    }

    private Mono<Void> budgeted(Mono<Void> work) {
        return Mono.usingWhen(
                budget.acquire(STREAM_BYTES),
                permit -> {
                    permit.hold();
                    return work;
                },
                permit -> Mono.fromRunnable(permit::close));
    }

    private Mono<Void> pull(Once once, SourceLease lease, int renewals) {
        return lease.live()
                .flatMap(held -> once.pull(held)
                        .onErrorResume(
                                e -> renewals > 0 && isExpired(e),
                                e -> lease.renew(held).then(pull(once, lease, renewals - 1))));
    }

    /** Pulls one span under one lease. */
    private interface Once {
        Mono<Void> pull(SourceLease.Held held);
    }

    private Mono<Void> once(
            TransferJob job,
            WriteToken.Grant grant,
            ExtentWriter writer,
            Transport transport,
            SourceLease lease,
            SourceLease.Held held,
            ContentDigest.Span span) {
        Reception reception = new Reception(job, grant, writer, () -> lease.ensureAlive(held), span);
        return transport.pull(held.source(), job.item().key(), span, reception).then(Mono.fromRunnable(reception::end));
    }

    /** Writes what arrives of one span. */
    private final class Reception implements Transport.Receiver {

        private final TransferJob job;
        private final WriteToken.Grant grant;
        private final ExtentWriter writer;
        private final Runnable leaseAlive;
        private final ContentDigest.Span span;
        private ContentDigest.Lane lane;

        Reception(
                TransferJob job,
                WriteToken.Grant grant,
                ExtentWriter writer,
                Runnable leaseAlive,
                ContentDigest.Span span) {
            this.job = job;
            this.grant = grant;
            this.writer = writer;
            this.leaseAlive = leaseAlive;
            this.span = span;
            this.lane = writer.lane(span, List.of());
        }

        @Override
        public Consumer<ByteBuf> expecting(List<Long> crc32c) {
            lane = writer.lane(span, crc32c);
            return this::take;
        }

        private void take(ByteBuf bytes) {
            leaseAlive.run();
            ensureTarget();
            try {
                writer.write(lane, bytes.nioBuffer());
            } catch (IOException e) {
                throw new TargetFailed(Problem.of(ProblemCode.UNAVAILABLE, "the segment's storage failed"));
            } catch (ProblemException e) {
                throw e.problem().code() == ProblemCode.NO_SPACE ? new TargetFailed(e.problem()) : e;
            }
            job.progressed(writer.completeBytes());
        }

        private void ensureTarget() {
            try {
                tokens.ensureAlive(grant);
            } catch (ProblemException e) {
                throw new TargetFailed(e.problem());
            }
        }

        /** The last byte must have arrived while the lease lived; otherwise the span's bytes are dropped. */
        void end() {
            try {
                leaseAlive.run();
            } catch (ProblemException e) {
                writer.forget(span);
                throw e;
            }
            if (lane.position() != span.to()) {
                throw new ProblemException(ProblemCode.UNAVAILABLE, "the source sent too few bytes");
            }
        }
    }

    private static boolean isExpired(Throwable e) {
        return e instanceof ProblemException refusal && refusal.problem().code() == ProblemCode.LEASE_EXPIRED;
    }

    private static SourceFailed sourceFailed(Throwable e) {
        if (e instanceof ProblemException refusal) {
            return new SourceFailed(refusal.problem().code(), refusal.problem().detail(), e);
        }
        boolean silent = e instanceof TimeoutException;
        return new SourceFailed(
                silent ? ProblemCode.DEADLINE_EXCEEDED : ProblemCode.UNAVAILABLE,
                silent ? "the source is silent" : "the source broke off",
                e);
    }
}
