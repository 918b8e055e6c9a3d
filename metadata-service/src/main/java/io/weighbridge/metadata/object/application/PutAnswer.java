package io.weighbridge.metadata.object.application;

import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.vocabulary.Tier;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What became of one item; nothing is answered before the commit. */
public sealed interface PutAnswer {

    /** A put was started, or a copy planned. */
    record Started(String writeToken, List<Target> targets) implements PutAnswer {
        public Started {
            targets = List.copyOf(targets);
        }
    }

    /** Where one copy is written. */
    record Target(UUID replicaId, UUID nodeId, UUID segmentId, Tier tier, String url) {}

    /** Done, or done before. */
    record Done(
            @Nullable Long objectVersion,
            @Nullable Long size,
            @Nullable String digest) implements PutAnswer {}

    /** Nothing has changed. */
    record Refused(Problem problem) implements PutAnswer {}
}
