package io.weighbridge.agent.registration.application;

import io.weighbridge.agent.registration.Ledger;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.wire.ReportResults;
import io.weighbridge.wire.Reports;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.retry.Retry;

/**
 * Tells the ledger what happened to copies. Reports are collected for a moment, sent together, one batch at a time, and
 * repeated until they are answered; so a report is lost only with the process.
 */
public final class ReportQueue {

    private static final Logger LOG = LoggerFactory.getLogger(ReportQueue.class);
    private static final Duration COLLECTING = Duration.ofMillis(1);
    private static final Duration PAUSE_MIN = Duration.ofMillis(100);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(5);
    private static final int ITEMS_MAX = 500;
    private static final int CHECKSUMS_MAX = 20_000;

    private final NodeIdentity identity;
    private final Ledger ledger;
    private final ConcurrentLinkedQueue<Waiting> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger queued = new AtomicInteger();
    private final AtomicBoolean sending = new AtomicBoolean();
    private volatile boolean stopped;

    private record Waiting(Reports.Item item, Sinks.One<ReportResults.Item> answer) {}

    public ReportQueue(NodeIdentity identity, Ledger ledger) {
        this.identity = identity;
        this.ledger = ledger;
    }

    /** Reports that were not answered yet. */
    public int length() {
        return queued.get();
    }

    /** Sends nothing any more: a newer start of this agent speaks for the node. */
    public void stop() {
        stopped = true;
    }

    /**
     * Queues a report at once, whoever waits for the answer or not.
     *
     * @return the ledger's answer; a refusal is an item with a code
     */
    public Mono<ReportResults.Item> report(Reports.Item item) {
        Waiting waiting = new Waiting(item, Sinks.one());
        queue.add(waiting);
        queued.incrementAndGet();
        start();
        return waiting.answer.asMono();
    }

    /** As {@link #report}, for an event that has nothing but its name. */
    public Mono<ReportResults.Item> report(UUID replicaId, Reports.Event event) {
        return report(new Reports.Item(replicaId, null, event, null, null, null));
    }

    private void start() {
        if (!queue.isEmpty() && sending.compareAndSet(false, true)) {
            Mono.delay(COLLECTING)
                    .then(Mono.defer(this::send))
                    .doFinally(signal -> {
                        sending.set(false);
                        start();
                    })
                    .subscribe(done -> {}, e -> LOG.error("A batch of reports was given up", e));
        }
    }

    private Mono<Void> send() {
        List<Waiting> batch = take();
        List<Reports.Item> items = batch.stream().map(Waiting::item).toList();
        return Mono.defer(() -> stopped
                        ? Mono.error(new ProblemException(
                                ProblemCode.STALE_INCARNATION, "a newer start of this agent has registered"))
                        : ledger.report(identity.nodeId(), new Reports(identity.incarnation(), items)))
                .retryWhen(Retry.backoff(Long.MAX_VALUE, PAUSE_MIN)
                        .maxBackoff(PAUSE_MAX)
                        .filter(e -> !isFinal(e))
                        .doBeforeRetry(retry -> LOG.warn(
                                "{} reports were not answered, repeating: {}",
                                items.size(),
                                String.valueOf(retry.failure().getMessage()))))
                .doOnNext(results -> answer(batch, results))
                .doOnError(e -> batch.forEach(waiting -> waiting.answer.tryEmitError(e)))
                .doFinally(signal -> queued.addAndGet(-batch.size()))
                .onErrorComplete(ReportQueue::isFinal)
                .then();
    }

    /** A newer incarnation or a malformed batch will not be answered otherwise later. */
    private static boolean isFinal(Throwable e) {
        return e instanceof ProblemException refusal
                && (refusal.problem().code() == ProblemCode.STALE_INCARNATION
                        || refusal.problem().code() == ProblemCode.INVALID_ARGUMENT
                        || refusal.problem().code() == ProblemCode.PAYLOAD_TOO_LARGE);
    }

    private List<Waiting> take() {
        List<Waiting> batch = new ArrayList<>();
        int checksums = 0;
        Waiting next = queue.peek();
        while (next != null && batch.size() < ITEMS_MAX && (batch.isEmpty() || checksums < CHECKSUMS_MAX)) {
            queue.remove();
            batch.add(next);
            List<Long> crcs = next.item.crc32c();
            checksums += crcs == null ? 0 : crcs.size();
            next = queue.peek();
        }
        return withoutOvertaken(batch);
    }

    /** Drops OPENED where STORED of the same copy goes with it: the later one says both. */
    private List<Waiting> withoutOvertaken(List<Waiting> batch) {
        Set<UUID> stored = new HashSet<>();
        batch.stream()
                .filter(waiting -> waiting.item.event() == Reports.Event.STORED)
                .forEach(waiting -> stored.add(waiting.item.replicaId()));
        List<Waiting> kept = new ArrayList<>(batch.size());
        for (Waiting waiting : batch) {
            if (waiting.item.event() == Reports.Event.OPENED && stored.contains(waiting.item.replicaId())) {
                waiting.answer.tryEmitEmpty();
                queued.decrementAndGet();
            } else {
                kept.add(waiting);
            }
        }
        return kept;
    }

    private static void answer(List<Waiting> batch, ReportResults results) {
        for (int i = 0; i < batch.size(); i++) {
            if (i < results.items().size()) {
                batch.get(i).answer.tryEmitValue(results.items().get(i));
            } else {
                batch.get(i).answer.tryEmitError(new IllegalStateException("the ledger answered too few items"));
            }
        }
    }
}
