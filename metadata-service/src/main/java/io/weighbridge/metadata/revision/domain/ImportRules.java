package io.weighbridge.metadata.revision.domain;

import static io.weighbridge.ledger.decision.Decision.accepted;
import static io.weighbridge.ledger.decision.Decision.refused;
import static io.weighbridge.ledger.decision.Decision.unchanged;

import io.weighbridge.ledger.decision.Decision;
import io.weighbridge.ledger.identity.Validation;
import io.weighbridge.ledger.key.Utf8;
import io.weighbridge.ledger.token.Secret;
import io.weighbridge.ledger.vocabulary.Availability;
import io.weighbridge.metadata.revision.domain.Revision.Publication;
import io.weighbridge.metadata.revision.domain.Revision.Registered;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The part of {@link RevisionDecider} that concerns imports, from the begin to the commit or abort. */
final class ImportRules {

    /** The heartbeat row is written at most this often. */
    static final Duration HEARTBEAT_INTERVAL = Duration.ofSeconds(10);

    private ImportRules() {}

    /** On an identity that is free. */
    static Decision<RevisionEvent> begin(RevisionCommand.BeginImport begin, Instant now) {
        Decision<RevisionEvent> refusal = checkArguments(begin);
        return refusal != null ? refusal : accepted(begun(begin, now));
    }

    private static @Nullable Decision<RevisionEvent> checkArguments(RevisionCommand.BeginImport begin) {
        if (Utf8.bytes(begin.identity().manifestKey()).length > Validation.TEXT_BYTES_MAX) {
            return refused(RevisionRefusal.MANIFEST_KEY_TOO_LONG.problem());
        }
        String group = begin.payloadGroupId();
        if (group != null && !group.equals(begin.identity().payloadGroupId())) {
            return refused(RevisionRefusal.GROUP_NOT_CANONICAL.problem());
        }
        return null;
    }

    private static RevisionEvent begun(RevisionCommand.BeginImport begin, Instant now) {
        Map<String, String> labels = begin.labels();
        Placement placement = begin.placement();
        return new RevisionEvent.ImportBegun(
                begin.identity(),
                begin.summary(),
                labels == null ? Map.of() : labels,
                placement == null ? Placement.DEFAULT : placement,
                begin.tokenHash(),
                begin.subject(),
                now);
    }

    static Decision<RevisionEvent> begin(Registered revision, RevisionCommand.BeginImport begin, Circumstances seen) {
        Decision<RevisionEvent> refusal = checkArguments(begin);
        if (refusal != null) {
            return refusal;
        }
        boolean alike = revision.summary().equals(begin.summary())
                && (begin.labels() == null || begin.labels().equals(revision.labels()));
        return switch (revision.availability()) {
            case IMPORTING, READY -> {
                if (!alike) {
                    yield refused(RevisionRefusal.IDENTITY_TAKEN.problem(
                            "the identity is taken with other payload count, logical bytes or labels"));
                }
                yield begin.takeover() && revision.availability() == Availability.IMPORTING
                        ? takeOver(revision, begin, seen)
                        : unchanged();
            }
            case DEGRADED, DELETING, DELETED -> refused(RevisionRefusal.IDENTITY_TAKEN.problem());
        };
    }

    private static Decision<RevisionEvent> takeOver(
            Registered revision, RevisionCommand.BeginImport begin, Circumstances seen) {
        if (!begin.administrator() && !begin.subject().equals(revision.session().subject())) {
            return refused(RevisionRefusal.NOT_THE_IMPORTER.problem());
        }
        return accepted(
                new RevisionEvent.ImportTakenOver(begin.tokenHash(), begin.subject(), revision.notBefore(seen.now())));
    }

    static Decision<RevisionEvent> heartbeat(
            Registered revision, RevisionCommand.HeartbeatImport beat, Circumstances seen) {
        String token = beat.importToken();
        if (token == null || !Secret.matches(token, revision.session().tokenHash())) {
            return refused(RevisionRefusal.IMPORT_TOKEN_STALE.problem());
        }
        if (revision.availability() != Availability.IMPORTING) {
            return refused(RevisionRefusal.NOT_IMPORTING.problem());
        }
        Instant last = revision.session().beatAt();
        return last != null && seen.now().isBefore(last.plus(HEARTBEAT_INTERVAL))
                ? unchanged()
                : accepted(new RevisionEvent.ImportHeartbeatSeen(seen.now()));
    }

    static Decision<RevisionEvent> commit(
            Registered revision, RevisionCommand.CommitImport commit, Circumstances seen) {
        Publication published = revision.publication();
        if (published != null && revision.isPublished()) {
            if (!published.manifest().equals(commit.manifest())) {
                return refused(RevisionRefusal.PUBLISHED_DIFFERENTLY.problem());
            }
            return commit.fence().matches(published.commitFence())
                            || commit.fence().isAdjacent(revision.generation())
                    ? unchanged()
                    : RevisionDecider.stale(commit.fence(), revision);
        }
        if (!commit.fence().matches(revision.generation())) {
            return RevisionDecider.stale(commit.fence(), revision);
        }
        if (revision.availability() != Availability.IMPORTING) {
            return refused(RevisionRefusal.NOT_IMPORTING.problem());
        }
        ManifestReference manifest = commit.manifest();
        if (!manifest.payloadGroupId().equals(revision.identity().payloadGroupId())) {
            return refused(RevisionRefusal.GROUP_NOT_CANONICAL.problem());
        }
        if (!manifest.manifestKey().equals(revision.identity().manifestKey())) {
            return refused(RevisionRefusal.MANIFEST_KEY_NOT_CANONICAL.problem());
        }
        if (manifest.payloadCount() != revision.summary().payloadCount()
                || manifest.logicalBytes() != revision.summary().logicalBytes()) {
            return refused(RevisionRefusal.SUMMARY_DIFFERS.problem());
        }
        return CommitCheck.check(manifest, seen.members())
                .<Decision<RevisionEvent>>map(Decision::refused)
                .orElseGet(() -> accepted(new RevisionEvent.ImportCommitted(
                        manifest,
                        revision.generation(),
                        seen.members().residency(revision.totalMembers()),
                        revision.notBefore(seen.now()))));
    }

    static Decision<RevisionEvent> abort(Registered revision, RevisionCommand.AbortImport abort, Circumstances seen) {
        if (revision.availability() == Availability.DELETING) {
            return abort.fence().isAdjacent(revision.generation())
                    ? unchanged()
                    : RevisionDecider.stale(abort.fence(), revision);
        }
        if (!abort.fence().matches(revision.generation())) {
            return RevisionDecider.stale(abort.fence(), revision);
        }
        if (revision.availability() != Availability.IMPORTING) {
            return refused(RevisionRefusal.NOT_IMPORTING.problem());
        }
        Duration idle = abort.idle();
        Instant beat = Objects.requireNonNullElse(revision.session().beatAt(), revision.createdAt());
        if (idle != null && seen.now().isBefore(beat.plus(idle))) {
            return refused(RevisionRefusal.IMPORT_ALIVE.problem());
        }
        return accepted(new RevisionEvent.ImportAborted(revision.notBefore(seen.now())));
    }
}
