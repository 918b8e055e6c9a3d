package io.weighbridge.metadata.object.http;

import io.weighbridge.ledger.http.problem.ProblemStatus;
import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.identity.Validation;
import io.weighbridge.ledger.key.CanonicalKeys;
import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.ledger.vocabulary.ObjectType;
import io.weighbridge.metadata.object.application.ObjectSettings;
import io.weighbridge.metadata.object.application.PutAnswer;
import io.weighbridge.metadata.object.application.PutRequest;
import io.weighbridge.metadata.object.domain.Pin;
import io.weighbridge.metadata.object.domain.Wanted;
import io.weighbridge.wire.ObjectResults;
import io.weighbridge.wire.PutEnd;
import io.weighbridge.wire.PutRevoke;
import io.weighbridge.wire.PutStart;
import io.weighbridge.wire.PutStarted;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Items of batches: from the wire to requests, from answers to the wire. */
final class PutItems {

    private static final int OK = 200;
    private static final int COPIES_MAX = 16;

    /** Soft pins are minutes long and approximate: the service's own clock will do. */
    private final Clock clock;

    private final ObjectSettings settings;

    PutItems(ObjectSettings settings, Clock clock) {
        this.settings = settings;
        this.clock = clock;
    }

    /** @throws ProblemException INVALID_ARGUMENT that names the field */
    PutRequest start(PutStart.Item item, String tenant, String subject, @Nullable String importToken) {
        String key = Validation.objectKey("key", item.key());
        long size = Validation.size("size", item.size());
        int copies = item.replicaCount() == null ? 1 : item.replicaCount();
        if (copies < 1 || copies > COPIES_MAX) {
            throw new ProblemException(Problem.invalid("replica_count", "must be 1 to " + COPIES_MAX));
        }
        String group = item.groupId() == null ? null : Validation.objectKey("group_id", item.groupId());
        boolean managed = group != null && group.startsWith(CanonicalKeys.GROUP_PREFIX);
        RevisionId revision = RevisionId.ofGroup(group).orElse(null);
        boolean manifest = managed && item.type() == ObjectType.METADATA;
        Pin pin = manifest ? Pin.HARD : pin(item.pin());
        Instant pinnedUntil = pin == Pin.SOFT ? clock.instant().plus(settings.softPin()) : null;
        Wanted wanted = new Wanted(size, item.type(), group, revision, pin, pinnedUntil);
        return new PutRequest.Start(
                tenant,
                subject,
                key,
                CanonicalKeys.objectId(tenant, key),
                wanted,
                managed,
                copies,
                item.preferredNode(),
                importToken);
    }

    /** @throws ProblemException INVALID_ARGUMENT that names the field */
    static PutRequest end(PutEnd.Item item, String tenant, String subject, @Nullable String importToken) {
        String key = Validation.objectKey("key", item.key());
        if (item.size() != null) {
            Validation.size("size", item.size());
        }
        if (item.digest() != null) {
            Validation.sha256("digest", item.digest());
        }
        return new PutRequest.End(
                subject,
                CanonicalKeys.objectId(tenant, key),
                item.writeToken(),
                item.size(),
                item.digest(),
                importToken);
    }

    /** @throws ProblemException INVALID_ARGUMENT that names the field */
    static PutRequest revoke(PutRevoke.Item item, String tenant, String subject) {
        String key = Validation.objectKey("key", item.key());
        return new PutRequest.Revoke(subject, CanonicalKeys.objectId(tenant, key), item.writeToken());
    }

    private static Pin pin(PutStart.@Nullable Pin pin) {
        if (pin == null) {
            return Pin.NONE;
        }
        return switch (pin) {
            case NONE -> Pin.NONE;
            case SOFT -> Pin.SOFT;
            case HARD -> Pin.HARD;
        };
    }

    static PutStarted.Item started(String key, PutAnswer answer) {
        return switch (answer) {
            case PutAnswer.Started(String token, List<PutAnswer.Target> targets) ->
                new PutStarted.Item(
                        key,
                        OK,
                        null,
                        null,
                        token,
                        targets.size(),
                        targets.stream().map(PutItems::target).toList());
            case PutAnswer.Done done -> throw new IllegalStateException("a start answers with a token");
            case PutAnswer.Refused(Problem problem) ->
                new PutStarted.Item(
                        key, ProblemStatus.of(problem.code()), problem.code(), problem.detail(), null, 0, List.of());
        };
    }

    static PutStarted.Target target(PutAnswer.Target target) {
        return new PutStarted.Target(
                target.replicaId(), target.nodeId(), target.segmentId(), target.tier(), target.url());
    }

    static ObjectResults.Item done(String key, PutAnswer answer) {
        return switch (answer) {
            case PutAnswer.Done(Long version, Long size, String digest) ->
                new ObjectResults.Item(key, OK, null, null, version, size, digest, List.of());
            case PutAnswer.Started started -> throw new IllegalStateException("only a start answers with a token");
            case PutAnswer.Refused(Problem problem) -> refused(key, problem);
        };
    }

    static ObjectResults.Item refused(String key, Problem problem) {
        return new ObjectResults.Item(
                key, ProblemStatus.of(problem.code()), problem.code(), problem.detail(), null, null, null, List.of());
    }
}
