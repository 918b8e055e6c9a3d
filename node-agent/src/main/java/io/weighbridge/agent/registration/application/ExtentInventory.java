package io.weighbridge.agent.registration.application;

import io.weighbridge.agent.flow.BlockingThreads;
import io.weighbridge.agent.registration.Ledger;
import io.weighbridge.agent.tier.DamagedException;
import io.weighbridge.agent.tier.Extent;
import io.weighbridge.agent.tier.SealedContent;
import io.weighbridge.agent.tier.Segment;
import io.weighbridge.ledger.vocabulary.ReplicaState;
import io.weighbridge.wire.ExtentPage;
import io.weighbridge.wire.Reports;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Makes a segment agree with the ledger's list before it is mounted (spec 2.6, 4.1). */
final class ExtentInventory {

    private static final Logger LOG = LoggerFactory.getLogger(ExtentInventory.class);
    private static final int VERIFIED_AT_ONCE = 4;

    private final NodeIdentity identity;
    private final Ledger ledger;
    private final ReportQueue reports;
    private final BlockingThreads threads;

    ExtentInventory(NodeIdentity identity, Ledger ledger, ReportQueue reports, BlockingThreads threads) {
        this.identity = identity;
        this.ledger = ledger;
        this.reports = reports;
        this.threads = threads;
    }

    /** Deletes what is not listed, verifies what is, reports what is missing or damaged, and waits for the answers. */
    Mono<Void> agree(Segment segment) {
        List<Extent> present = segment.extents();
        List<UUID> damaged = segment.damaged();
        return listed(segment)
                .flatMap(listed -> Flux.fromIterable(present)
                        .filter(extent -> !listed.containsKey(extent.spec().replicaId()))
                        .flatMap(extent ->
                                Mono.fromFuture(segment.free(extent.spec().replicaId())))
                        .thenMany(Flux.fromIterable(listed.values()))
                        .flatMap(
                                expected -> threads.call(() -> isCorrupt(segment, expected))
                                        .filter(corrupt -> corrupt)
                                        .map(corrupt -> expected.replicaId()),
                                VERIFIED_AT_ONCE)
                        .flatMap(replicaId -> reports.report(replicaId, Reports.Event.CORRUPT))
                        .then(threads.call(() -> discard(segment, damaged)))
                        .then());
    }

    private Mono<Map<UUID, ExtentPage.Extent>> listed(Segment segment) {
        UUID segmentId = segment.identity().segmentId();
        return ledger.extents(identity.nodeId(), segmentId, null)
                .expand(page -> page.nextPageToken() == null
                        ? Mono.empty()
                        : ledger.extents(identity.nodeId(), segmentId, page.nextPageToken()))
                .flatMapIterable(ExtentPage::extents)
                .collect(Collectors.toMap(ExtentPage.Extent::replicaId, Function.identity(), (a, b) -> b));
    }

    /** True when the ledger counts on a copy that is not here as it should be. Damaged pending copies just go. */
    private boolean isCorrupt(Segment segment, ExtentPage.Extent expected) {
        Extent extent = segment.find(expected.replicaId());
        boolean counted = expected.state() == ReplicaState.COMPLETE;
        SealedContent content = extent == null ? null : extent.content();
        if (extent == null || content == null) {
            return counted;
        }
        try {
            if (content.size() != expected.size()
                    || (!expected.crc32c().isEmpty() && !content.crc32c().equals(expected.crc32c()))) {
                throw new DamagedException("it is not what the ledger lists");
            }
            if (!extent.isTrusted()) {
                segment.verify(extent);
                extent.trust();
            }
            return false;
        } catch (IOException e) {
            LOG.warn("Copy {} is damaged: {}", expected.replicaId(), e.getMessage());
            if (!counted) {
                segment.free(expected.replicaId());
            }
            return counted;
        }
    }

    private static List<UUID> discard(Segment segment, List<UUID> damaged) throws IOException {
        List<UUID> discarded = new ArrayList<>(damaged);
        for (UUID replicaId : discarded) {
            segment.discardDamaged(replicaId);
        }
        return discarded;
    }
}
