package io.weighbridge.reconciliation.revision.domain;

import io.weighbridge.ledger.vocabulary.ObjectType;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One object of a revision.
 *
 * @param size bytes
 * @param digest what its bytes must have; absent until first stored
 */
public record Member(
        String key, ObjectType type, long size, @Nullable String digest, List<Copy> copies) {

    public Member {
        copies = List.copyOf(copies);
    }

    public boolean isReadable() {
        return copies.stream().anyMatch(Copy::isReadable);
    }

    public boolean isReadable(boolean hot) {
        return readable().anyMatch(copy -> copy.isHot() == hot);
    }

    /** The copies that may be read now. */
    public Stream<Copy> readable() {
        return copies.stream().filter(Copy::isReadable);
    }

    /** The copies in one state. */
    public Stream<Copy> in(CopyState state) {
        return copies.stream().filter(copy -> copy.state() == state);
    }

    /** Where a copy for this node is read from, best first: the node itself, then memory, then the rest. */
    public List<UUID> sourcesFor(UUID nodeId) {
        return readable()
                .sorted(Comparator.comparing((Copy copy) -> !copy.nodeId().equals(nodeId))
                        .thenComparing(Copy::tier)
                        .thenComparing(Copy::replicaId))
                .map(Copy::replicaId)
                .toList();
    }
}
