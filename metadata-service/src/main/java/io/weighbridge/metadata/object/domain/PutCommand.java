package io.weighbridge.metadata.object.domain;

import io.weighbridge.ledger.vocabulary.Tier;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What can be asked of an object: by its writers, by the agents that hold its copies, by its revision's operations. */
public sealed interface PutCommand {

    /**
     * PutStart (spec 2.2).
     *
     * @param preemptAfter a pending put of this age gives way
     * @param managed the request names a managed group
     * @param membership of the managed group; null when no revision of the tenant has it
     * @param attempt the new put, PENDING
     * @param copies with their space; empty when nothing has room
     */
    record Start(
            Wanted wanted,
            Duration preemptAfter,
            boolean managed,
            @Nullable Membership membership,
            @Nullable String importToken,
            Attempt attempt,
            List<Copy> copies)
            implements PutCommand {
        public Start {
            copies = List.copyOf(copies);
        }
    }

    /**
     * PutEnd.
     *
     * @param size compared where given
     * @param digest compared where given
     * @param version what the object becomes
     * @param membership of the object's managed group, if any
     * @param importToken compared where given: the write token dies with the import token anyway
     */
    record End(
            String tokenHash,
            @Nullable Long size,
            @Nullable String digest,
            long version,
            @Nullable Membership membership,
            @Nullable String importToken)
            implements PutCommand {}

    /** PutRevoke. */
    record Revoke(String tokenHash) implements PutCommand {}

    /** Revokes every pending put of the object: its import was taken over, aborted or deleted. */
    record Abandon() implements PutCommand {}

    /** Revokes the pending puts whose time is over. */
    record Expire() implements PutCommand {}

    /** Drops the copies whose segments have a new epoch: cleaning, since they are unreadable anyway (spec 2.1). */
    record Forget() implements PutCommand {}

    /** The agent reports the first byte. */
    record Open(UUID replicaId, String tokenHash) implements PutCommand {}

    /**
     * The agent reports all bytes.
     *
     * @param activeOperation of the object's revision, where it has one
     */
    record Store(
            UUID replicaId,
            String tokenHash,
            Stored stored,
            @Nullable UUID activeOperation) implements PutCommand {}

    /** The agent reports that it takes no more bytes and has dropped what it had. */
    record Close(UUID replicaId) implements PutCommand {}

    /** The agent reports that the bytes are damaged or missing. */
    record Condemn(UUID replicaId) implements PutCommand {}

    /** The agent reports that the extent is free. */
    record Free(UUID replicaId) implements PutCommand {}

    /**
     * Adds a copy for an operation.
     *
     * @param attempt the new put, PENDING, with the operation's id
     * @param replace a pending plan for the same place is replaced; else it stays
     * @param copy with its space; null when the node has no room
     */
    record Plan(
            Attempt attempt,
            UUID nodeId,
            Tier tier,
            boolean replace,
            @Nullable Copy copy) implements PutCommand {}

    /**
     * Makes a copy unreadable for an operation or a delete.
     *
     * @param deleting the revision is DELETING
     * @param leased a revision lease protects the members
     * @param payloadsRemain another member still has copies, and this one is the manifest
     */
    record Retire(UUID replicaId, boolean deleting, boolean leased, boolean payloadsRemain) implements PutCommand {}

    /**
     * Removes an unmanaged object; eviction does the same.
     *
     * @param force also a pinned one
     */
    record Remove(boolean force) implements PutCommand {}
}
