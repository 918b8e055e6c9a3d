package io.weighbridge.agent.transfer.application;

import io.weighbridge.agent.content.application.StoredReports;
import io.weighbridge.agent.flow.BlockingThreads;
import io.weighbridge.agent.registration.application.WriteTokens;
import io.weighbridge.agent.tier.Extent;
import io.weighbridge.agent.tier.ExtentWriter;
import io.weighbridge.agent.tier.SealedContent;
import io.weighbridge.agent.transfer.domain.TransferCommand;
import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.ledger.token.WriteToken;
import io.weighbridge.wire.StartTransfers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/** One transfer from its first byte to the ledger's acknowledgement, source after source. */
final class TransferRun {

    private static final Logger LOG = LoggerFactory.getLogger(TransferRun.class);

    private final WriteTokens tokens;
    private final StoredReports reports;
    private final Pulling pulling;
    private final BlockingThreads threads;

    TransferRun(WriteTokens tokens, StoredReports reports, Pulling pulling, BlockingThreads threads) {
        this.tokens = tokens;
        this.reports = reports;
        this.pulling = pulling;
        this.threads = threads;
    }

    /** Runs it; the job knows how it ended, and the result completes in every case but cancelling. */
    Mono<Void> run(TransferJob job) {
        StartTransfers.Item item = job.item();
        return tokens.verify(item.target().writeToken(), item.key())
                .flatMap(grant -> {
                    job.sized(grant.size());
                    return threads.call(() -> tokens.extent(grant, item.key()))
                            .flatMap(extent -> copy(job, grant, extent)
                                    .takeUntilOther(closed(extent))
                                    .then(Mono.defer(() -> acknowledged(job, extent))));
                })
                .onErrorResume(e -> {
                    fail(job, e);
                    return Mono.empty();
                });
    }

    private Mono<Void> copy(TransferJob job, WriteToken.Grant grant, Extent extent) {
        if (extent.content() != null) {
            job.apply(new TransferCommand.Verify());
            return Mono.empty();
        }
        return Mono.usingWhen(
                Mono.fromCallable(extent::write),
                writer -> {
                    reports.opened(grant.replicaId(), job.item().target().writeToken());
                    return from(job, grant, writer, 0, new ArrayList<>());
                },
                writer -> Mono.fromRunnable(writer::close));
    }

    private Mono<Void> from(
            TransferJob job, WriteToken.Grant grant, ExtentWriter writer, int next, List<SourceFailed> failures) {
        List<StartTransfers.Source> sources = job.item().sources();
        if (next >= sources.size()) {
            return Mono.error(exhausted(failures));
        }
        StartTransfers.Source source = sources.get(next);
        return pulling.pull(job, grant, writer, source)
                .then(Mono.defer(() -> seal(job, writer)))
                .onErrorResume(SourceFailed.class, e -> {
                    LOG.warn("Transfer {}: source {} failed: {}", job.id(), source.replicaId(), e.getMessage());
                    failures.add(new SourceFailed(
                            e.code(),
                            "copy " + source.replicaId() + " on " + source.nodeId() + ": " + e.getMessage(),
                            e));
                    job.apply(new TransferCommand.PullAgain());
                    return from(job, grant, writer, next + 1, failures);
                });
    }

    private Mono<Void> seal(TransferJob job, ExtentWriter writer) {
        job.apply(new TransferCommand.Verify());
        return threads.call(() -> {
                    SealedContent content = writer.digest();
                    if (!content.digest().equals(job.item().digest())) {
                        writer.reset();
                        throw new SourceFailed(
                                ProblemCode.CHECKSUM_MISMATCH, "its bytes have another digest", new IOException());
                    }
                    return writer.seal();
                })
                .onErrorMap(
                        e -> !(e instanceof SourceFailed),
                        e -> new TargetFailed(
                                e instanceof ProblemException refusal
                                        ? refusal.problem()
                                        : Problem.of(ProblemCode.UNAVAILABLE, "the segment's storage failed")))
                .then();
    }

    private Mono<Void> acknowledged(TransferJob job, Extent extent) {
        return reports.acknowledged(extent, job.item().target().writeToken())
                .doOnNext(content -> {
                    job.progressed(content.size());
                    job.apply(new TransferCommand.Complete());
                })
                .then();
    }

    private static Mono<Void> closed(Extent extent) {
        return Mono.fromFuture(extent.closed(), true)
                .then(Mono.error(() -> new TargetFailed(
                        Problem.of(ProblemCode.STALE_TOKEN, "the write token was closed while copying"))));
    }

    private void fail(TransferJob job, Throwable e) {
        Problem problem = switch (e) {
            case TargetFailed target -> target.problem();
            case ProblemException refusal -> refusal.problem();
            default -> {
                LOG.error("Transfer {} failed", job.id(), e);
                yield Problem.of(ProblemCode.INTERNAL, "the transfer failed");
            }
        };
        if (problem.code() == ProblemCode.CHECKSUM_MISMATCH) {
            tokens.abandon(job.item().target().replicaId());
        }
        job.apply(new TransferCommand.Fail(problem));
    }

    /** The worst finding decides: wrong bytes over everything else, then the last one. */
    private static TargetFailed exhausted(List<SourceFailed> failures) {
        if (failures.isEmpty()) {
            return new TargetFailed(Problem.of(ProblemCode.NOT_FOUND, "there is no source"));
        }
        SourceFailed worst = failures.stream()
                .filter(failure -> failure.code() == ProblemCode.CHECKSUM_MISMATCH)
                .findFirst()
                .orElse(failures.getLast());
        List<String> details = failures.stream().map(Throwable::getMessage).toList();
        return new TargetFailed(Problem.of(worst.code(), String.join("; ", details)));
    }
}
