package io.weighbridge.agent.content.application;

import io.weighbridge.agent.registration.application.ReportQueue;
import io.weighbridge.agent.registration.application.WriteTokens;
import io.weighbridge.agent.tier.Extent;
import io.weighbridge.agent.tier.SealedContent;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.wire.ReportResults;
import io.weighbridge.wire.Reports;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import reactor.core.publisher.Mono;

/** Makes a whole copy known to the ledger. What the ledger does not want is dropped: its put is over. */
public final class StoredReports {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final ReportQueue reports;
    private final WriteTokens tokens;

    public StoredReports(ReportQueue reports, WriteTokens tokens) {
        this.reports = reports;
        this.tokens = tokens;
    }

    /** The first byte has arrived; nobody waits for the answer. */
    public void opened(UUID replicaId, String writeToken) {
        reports.report(new Reports.Item(replicaId, writeToken, Reports.Event.OPENED, null, null, null))
                .subscribe(done -> {}, e -> {});
    }

    /** As {@link #acknowledged}, but with UNAVAILABLE when the ledger has not answered in time. */
    public Mono<SealedContent> stored(Extent extent, String writeToken) {
        return acknowledged(extent, writeToken)
                .timeout(PATIENCE)
                .onErrorMap(
                        TimeoutException.class,
                        e -> new ProblemException(
                                ProblemCode.UNAVAILABLE, "all bytes are stored, the ledger has not answered yet"));
    }

    /**
     * Reports a whole copy until the ledger answers, also when the caller goes.
     *
     * @return the content, or the ledger's refusal
     */
    public Mono<SealedContent> acknowledged(Extent extent, String writeToken) {
        SealedContent content = extent.content();
        if (content == null) {
            return Mono.error(new IllegalStateException("the copy is not whole"));
        }
        if (extent.isAcknowledged()) {
            return Mono.just(content);
        }
        UUID replicaId = extent.spec().replicaId();
        Mono<ReportResults.Item> answer = reports.report(new Reports.Item(
                        replicaId,
                        writeToken,
                        Reports.Event.STORED,
                        content.size(),
                        content.digest(),
                        content.crc32c()))
                .doOnNext(result -> settle(extent, result))
                .cache();
        answer.subscribe(done -> {}, e -> {});
        return answer.map(result -> accepted(result, content));
    }

    private void settle(Extent extent, ReportResults.Item result) {
        if (result.code() == null) {
            extent.acknowledge();
        } else {
            tokens.abandon(extent.spec().replicaId());
        }
    }

    private static SealedContent accepted(ReportResults.Item result, SealedContent content) {
        ProblemCode code = result.code();
        if (code != null) {
            throw new ProblemException(
                    code == ProblemCode.NOT_FOUND ? ProblemCode.STALE_TOKEN : code, "the ledger refused the copy");
        }
        return content;
    }
}
