package io.weighbridge.reconciliation.work.application;

import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.ledger.vocabulary.EntryKind;
import io.weighbridge.reconciliation.work.postgres.CursorProjection;
import io.weighbridge.reconciliation.work.postgres.WorkProjection;
import io.weighbridge.wire.FeedEntry;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/** Wakes what the feed speaks of. Missing an entry costs only waiting for the next sweep. */
public final class NewsReader implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(NewsReader.class);
    private static final String NOW = "now";
    private static final int BATCH = 256;
    private static final Duration GATHER = Duration.ofMillis(20);
    private static final Duration PAUSE = Duration.ofMillis(250);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    /** What reconcilers write themselves, or what changes nothing for them. */
    private static final Set<String> NO_NEWS = Set.of(
            EntryKind.OperationProgressed.name(), EntryKind.RevisionObserved.name(), EntryKind.LeaseGranted.name());

    private final News news;
    private final CursorProjection cursors;
    private final WorkProjection work;
    private final Sweeper sweeper;
    private final WorkLoop loop;
    private volatile Disposable reading = Disposables.disposed();

    public NewsReader(News news, CursorProjection cursors, WorkProjection work, Sweeper sweeper, WorkLoop loop) {
        this.news = news;
        this.cursors = cursors;
        this.work = work;
        this.sweeper = sweeper;
        this.loop = loop;
    }

    @Override
    public void start() {
        reading = Flux.defer(this::read)
                .doOnError(error -> LOG.warn("reading the feed failed: {}", WorkLoop.describe(error)))
                .onErrorResume(NewsReader::isReset, _ -> forget().thenMany(Flux.empty()))
                .repeat()
                .retryWhen(Retry.backoff(Long.MAX_VALUE, PAUSE).maxBackoff(LONGEST_PAUSE))
                .subscribe();
    }

    @Override
    public void stop() {
        reading.dispose();
    }

    @Override
    public boolean isRunning() {
        return !reading.isDisposed();
    }

    private Flux<Void> read() {
        return cursors.load()
                .defaultIfEmpty(NOW)
                .flatMapMany(news::after)
                .bufferTimeout(BATCH, GATHER, true)
                .concatMap(this::take, 1);
    }

    private Mono<Void> take(List<FeedEntry> entries) {
        Set<RevisionId> woken = new HashSet<>();
        for (FeedEntry entry : entries) {
            String revision = entry.revisionId();
            if (revision != null && !NO_NEWS.contains(entry.kind())) {
                woken.add(new RevisionId(revision));
            }
        }
        boolean nodesMoved = entries.stream().anyMatch(entry -> entry.kind().equals(EntryKind.NodeStateChanged.name()));
        return work.wake(woken, Duration.ZERO)
                .then(cursors.save(entries.getLast().cursor()))
                .doOnSuccess(_ -> {
                    if (!woken.isEmpty()) {
                        loop.hint();
                    }
                    if (nodesMoved) {
                        sweeper.soon();
                    }
                });
    }

    /** Nobody knows what was missed: from now on, and look at everything. */
    private Mono<Void> forget() {
        return cursors.save(NOW).doOnSuccess(_ -> sweeper.soon());
    }

    private static boolean isReset(Throwable error) {
        return error instanceof ProblemException problem && problem.problem().code() == ProblemCode.FEED_RESET;
    }
}
