package io.weighbridge.metadata.object.application;

import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.store.OplogEntry;
import io.weighbridge.ledger.vocabulary.EntryKind;
import io.weighbridge.ledger.vocabulary.ObjectType;
import io.weighbridge.ledger.vocabulary.ReplicaState;
import io.weighbridge.ledger.vocabulary.Tier;
import io.weighbridge.metadata.object.domain.Content;
import io.weighbridge.metadata.object.domain.Copy;
import io.weighbridge.metadata.object.domain.Pin;
import io.weighbridge.metadata.object.domain.Put;
import io.weighbridge.metadata.object.domain.PutBook;
import io.weighbridge.metadata.object.domain.PutEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** The oplog entries of managed objects and their copies (spec 1.9); unmanaged traffic is not logged. */
final class ObjectEntries {

    private static final long COMMITTED = 1;
    private static final long RETIRED = 2;

    private final JsonMapper json;

    ObjectEntries(JsonMapper json) {
        this.json = json;
    }

    /** An object's full state after its commit. */
    record ObjectState(
            String objectId,
            String key,
            long size,
            ObjectType type,
            @Nullable String groupId,
            String revisionId,
            long objectVersion,
            @Nullable String digest,
            @Nullable List<Long> crc32c,
            Pin pin,
            Instant createdAt,
            @Nullable Instant committedAt,
            List<CopyState> replicas) {}

    /** A copy's full state. */
    record CopyState(
            UUID replicaId,
            String objectId,
            String key,
            UUID putId,
            @Nullable UUID operationId,
            UUID nodeId,
            UUID segmentId,
            long segmentEpoch,
            Tier tier,
            long size,
            ReplicaState state,
            Instant createdAt,
            @Nullable Instant retiredAt) {}

    /** @param unwritten objects whose changes were given up */
    List<OplogEntry> of(PutBook book, Set<String> unwritten) {
        List<OplogEntry> entries = new ArrayList<>();
        for (PutBook.Happened happened : book.happened()) {
            Content content = happened.before().content();
            if (content != null
                    && content.revisionId() != null
                    && !unwritten.contains(happened.after().objectId())) {
                add(entries, happened, content.revisionId());
            }
        }
        return entries;
    }

    private void add(List<OplogEntry> entries, PutBook.Happened happened, RevisionId revision) {
        switch (happened.event()) {
            case PutEvent.ObjectCommitted committed -> entries.add(object(happened, revision, committed.version()));
            case PutEvent.CopyCommitted(UUID id) ->
                entries.add(copy(EntryKind.ReplicaCommitted, happened, revision, id, COMMITTED));
            case PutEvent.CopyRetired(UUID id, var at) -> {
                boolean committed = happened.before()
                        .copy(id)
                        .filter(copy -> copy.state() == ReplicaState.COMPLETE)
                        .isPresent();
                if (committed) {
                    entries.add(copy(EntryKind.ReplicaRetired, happened, revision, id, RETIRED));
                }
            }
            case PutEvent.PutStarted e -> {}
            case PutEvent.PutRevoked e -> {}
            case PutEvent.CopyPlanned e -> {}
            case PutEvent.CopyOpened e -> {}
            case PutEvent.CopyStored e -> {}
            case PutEvent.CopyFailed e -> {}
            case PutEvent.TokenClosed e -> {}
            case PutEvent.CopyFreed e -> {}
        }
    }

    private OplogEntry object(PutBook.Happened happened, RevisionId revision, long version) {
        Put put = happened.after();
        Content content = Objects.requireNonNull(put.content());
        List<CopyState> copies = put.copies().stream()
                .filter(copy -> copy.state() == ReplicaState.COMPLETE)
                .map(copy -> state(put, copy))
                .toList();
        ObjectState state = new ObjectState(
                put.objectId(),
                put.key(),
                content.size(),
                content.type(),
                content.groupId(),
                revision.hex(),
                version,
                content.digest(),
                content.crc32c(),
                content.pin(),
                content.createdAt(),
                content.committedAt(),
                copies);
        return new OplogEntry(
                EntryKind.ObjectCommitted,
                put.objectId(),
                version,
                put.tenantId(),
                revision,
                null,
                happened.subject(),
                json.writeValueAsString(state));
    }

    private OplogEntry copy(
            EntryKind kind, PutBook.Happened happened, RevisionId revision, UUID replicaId, long version) {
        Put put = happened.after();
        Copy copy = put.copy(replicaId).orElseThrow();
        return new OplogEntry(
                kind,
                replicaId.toString(),
                version,
                put.tenantId(),
                revision,
                copy.nodeId(),
                happened.subject(),
                json.writeValueAsString(state(put, copy)));
    }

    private static CopyState state(Put put, Copy copy) {
        return new CopyState(
                copy.replicaId(),
                put.objectId(),
                put.key(),
                copy.putId(),
                copy.operationId(),
                copy.nodeId(),
                copy.segmentId(),
                copy.segmentEpoch(),
                copy.tier(),
                copy.size(),
                copy.state(),
                copy.createdAt(),
                copy.retiredAt());
    }
}
