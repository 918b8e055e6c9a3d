package io.weighbridge.metadata.object.domain;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** What can have happened to an object. {@link Put#after} is the one place that says what each means for the state. */
public sealed interface PutEvent {

    /** Space is reserved and a write token is out. */
    record PutStarted(Attempt attempt, Content content, List<Copy> copies) implements PutEvent {
        public PutStarted {
            copies = List.copyOf(copies);
        }
    }

    /** The write token is dead; its open copies are removed. */
    record PutRevoked(UUID putId, Instant at) implements PutEvent {}

    /** The object and all copies of this put are committed. */
    record ObjectCommitted(UUID putId, long version, String digest, List<Long> crc32c, Instant at) implements PutEvent {
        public ObjectCommitted {
            crc32c = List.copyOf(crc32c);
        }
    }

    /** An operation reserved space for one more copy. */
    record CopyPlanned(Attempt attempt, Copy copy) implements PutEvent {}

    /** The first byte arrived. */
    record CopyOpened(UUID replicaId, Instant at) implements PutEvent {}

    /** All bytes arrived. */
    record CopyStored(UUID replicaId, Stored stored) implements PutEvent {}

    /** A planned copy is readable. */
    record CopyCommitted(UUID replicaId) implements PutEvent {}

    /** The bytes are not what they should be. */
    record CopyFailed(UUID replicaId, Instant at) implements PutEvent {}

    /** Unreadable from now on; the bytes stay until they are reclaimed. */
    record CopyRetired(UUID replicaId, Instant at) implements PutEvent {}

    /** No byte can arrive any more. */
    record TokenClosed(UUID replicaId, Instant at) implements PutEvent {}

    /** The bytes and the copy are gone. */
    record CopyFreed(UUID replicaId) implements PutEvent {}
}
