package io.weighbridge.agent.registration.application;

import io.weighbridge.agent.flow.BlockingThreads;
import io.weighbridge.agent.registration.Ledger;
import io.weighbridge.agent.tier.Segment;
import io.weighbridge.agent.tier.Segments;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.wire.Heartbeat;
import io.weighbridge.wire.HeartbeatAnswer;
import io.weighbridge.wire.RegisterNode;
import io.weighbridge.wire.RegisteredNode;
import io.weighbridge.wire.Reports;
import io.weighbridge.wire.SegmentView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * The node as the ledger sees it: keys, registration, inventory, mount, then heartbeats until the ledger no longer
 * knows the node (it registers again) or a newer start of the same agent has taken over (it stops serving). While the
 * ledger cannot be reached, readers with valid leases are served on.
 */
public final class NodeLife {

    private static final Logger LOG = LoggerFactory.getLogger(NodeLife.class);
    private static final Duration PAUSE_MIN = Duration.ofMillis(100);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(5);

    private final NodeIdentity identity;
    private final Ledger ledger;
    private final Segments segments;
    private final LedgerClock clock;
    private final NodeKeys keys;
    private final WriteTokens tokens;
    private final ReportQueue reports;
    private final ExtentInventory inventory;
    private final Set<UUID> freeing = ConcurrentHashMap.newKeySet();
    private final Set<UUID> closing = ConcurrentHashMap.newKeySet();
    private final CompletableFuture<Void> superseded = new CompletableFuture<>();
    private final Disposable.Swap running = Disposables.swap();
    private volatile Duration interval = Duration.ofSeconds(1);
    private volatile boolean reachable;

    /** What the life needs of the rest of the agent. */
    public record Parts(
            Ledger ledger,
            Segments segments,
            LedgerClock clock,
            NodeKeys keys,
            WriteTokens tokens,
            ReportQueue reports) {}

    public NodeLife(NodeIdentity identity, Parts parts, BlockingThreads threads) {
        this.identity = identity;
        this.ledger = parts.ledger;
        this.segments = parts.segments;
        this.clock = parts.clock;
        this.keys = parts.keys;
        this.tokens = parts.tokens;
        this.reports = parts.reports;
        this.inventory = new ExtentInventory(identity, parts.ledger, parts.reports, threads);
    }

    /** Begins; {@code url} is where others reach this agent. */
    public void start(String url) {
        running.update(enter(url).then(beats()).repeat().subscribe(again -> {}, e -> superseded(e)));
    }

    public void stop() {
        running.dispose();
        reports.stop();
    }

    /** True while all segments are mounted and no newer start has taken over. */
    public boolean isReady() {
        return segments.allMounted() && !superseded.isDone();
    }

    /** True when the last call to the ledger was answered. */
    public boolean isLedgerReachable() {
        return reachable;
    }

    /** Completes when a newer start of this agent has registered. */
    public CompletableFuture<Void> whenSuperseded() {
        return superseded.copy();
    }

    private Mono<Void> enter(String url) {
        return Mono.defer(() -> {
                    segments.remounting();
                    return keys.refresh()
                            .then(register(url))
                            .flatMap(node -> Flux.fromIterable(node.segments())
                                    .concatMap(this::mount)
                                    .then(Mono.just(node)));
                })
                .doOnNext(node -> {
                    reachable = true;
                    interval = Duration.ofMillis(node.heartbeatIntervalMs());
                    LOG.info("Node {} is registered, its segments are mounted", node.nodeId());
                })
                .then()
                .retryWhen(Retry.backoff(Long.MAX_VALUE, PAUSE_MIN)
                        .maxBackoff(PAUSE_MAX)
                        .filter(e -> !isSuperseded(e))
                        .doBeforeRetry(retry -> unreachable("Registration", retry.failure())))
                .onErrorMap(NodeLife::cause);
    }

    private Mono<RegisteredNode> register(String url) {
        List<RegisterNode.Segment> offered = new ArrayList<>();
        for (Segment segment : segments.all()) {
            Segment.Identity own = segment.identity();
            offered.add(new RegisterNode.Segment(own.segmentId(), own.tier(), own.arenaId(), own.capacity()));
        }
        return asking(
                ledger.register(new RegisterNode(
                        identity.nodeId(),
                        identity.incarnation(),
                        url,
                        identity.labels(),
                        identity.hostBootId(),
                        offered)),
                RegisteredNode::databaseTime);
    }

    private Mono<Void> mount(SegmentView view) {
        return Flux.fromIterable(segments.all())
                .filter(segment -> segment.identity().segmentId().equals(view.segmentId()))
                .concatMap(segment -> inventory
                        .agree(segment)
                        .then(ledger.mount(identity.nodeId(), view.segmentId(), identity.incarnation()))
                        .doOnSuccess(done -> segments.mounted(view.segmentId(), view.segmentEpoch())))
                .then();
    }

    /** Heartbeats until the ledger does not know this node any more. */
    private Mono<Void> beats() {
        return Mono.defer(() -> Mono.delay(interval.plusMillis(jitter())).then(beat()))
                .repeat()
                .then()
                .onErrorResume(e -> code(e) == ProblemCode.NOT_FOUND, e -> Mono.empty());
    }

    private static long jitter() {
        return ThreadLocalRandom.current().nextLong(20);
    }

    private Mono<Void> beat() {
        List<Heartbeat.Segment> views = segments.all().stream()
                .map(segment -> new Heartbeat.Segment(
                        segment.identity().segmentId(), segment.usedBytes(), segment.takeFailures()))
                .toList();
        tokens.sweep();
        return asking(
                        ledger.heartbeat(identity.nodeId(), new Heartbeat(identity.incarnation(), views)),
                        HeartbeatAnswer::databaseTime)
                .doOnNext(answer -> {
                    reachable = true;
                    obey(answer);
                })
                .doOnError(e -> views.forEach(this::giveBackFailures))
                .flatMap(answer -> keys.knows(answer.keysVersion()) ? Mono.<Void>empty() : keys.refresh())
                .onErrorResume(e -> !isSuperseded(e) && code(e) != ProblemCode.NOT_FOUND, e -> {
                    unreachable("Heartbeat", e);
                    return Mono.empty();
                });
    }

    private void obey(HeartbeatAnswer answer) {
        for (UUID replicaId : answer.reclaim()) {
            once(freeing, replicaId, segments.free(replicaId), Reports.Event.FREED);
        }
        for (UUID replicaId : answer.closeTokens()) {
            once(closing, replicaId, tokens.close(replicaId), Reports.Event.CLOSED);
        }
    }

    /** Reports after the space has returned; the ledger repeats its wish until it has the report. */
    private void once(Set<UUID> inProgress, UUID replicaId, CompletableFuture<Void> freed, Reports.Event event) {
        if (inProgress.add(replicaId)) {
            Mono.fromFuture(freed)
                    .then(Mono.defer(() -> reports.report(replicaId, event)))
                    .doFinally(signal -> inProgress.remove(replicaId))
                    .subscribe(done -> {}, e -> LOG.warn("{} of {} was not reported", event, replicaId, e));
        }
    }

    private <T> Mono<T> asking(Mono<T> question, Function<T, Instant> databaseTime) {
        return Mono.defer(() -> {
            long askedAt = clock.asking();
            return question.doOnNext(answer -> clock.answered(databaseTime.apply(answer), askedAt));
        });
    }

    private void giveBackFailures(Heartbeat.Segment view) {
        segments.all().stream()
                .filter(segment -> segment.identity().segmentId().equals(view.segmentId()))
                .forEach(segment -> segment.giveBackFailures(view.ioFailures()));
    }

    private void unreachable(String what, Throwable e) {
        if (reachable || LOG.isDebugEnabled()) {
            LOG.warn("{} was not answered, trying again: {}", what, String.valueOf(e.getMessage()));
        }
        reachable = false;
    }

    private void superseded(Throwable e) {
        LOG.error("This agent stops serving: {}", String.valueOf(e.getMessage()));
        segments.withdraw();
        reports.stop();
        superseded.complete(null);
    }

    private static boolean isSuperseded(Throwable e) {
        return code(e) == ProblemCode.STALE_INCARNATION;
    }

    private static @Nullable ProblemCode code(Throwable e) {
        return cause(e) instanceof ProblemException refusal ? refusal.problem().code() : null;
    }

    private static Throwable cause(Throwable e) {
        Throwable cause = e.getCause();
        return Exceptions.isRetryExhausted(e) && cause != null ? cause : e;
    }
}
