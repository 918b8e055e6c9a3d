package io.weighbridge.ledger.identity;

import io.weighbridge.ledger.key.CanonicalKeys;
import io.weighbridge.ledger.key.Utf8;
import java.util.Comparator;

/**
 * The exact identity of one immutable weight revision, ordered by its components from left to right, texts by unsigned
 * UTF-8 bytes (spec 1.2).
 *
 * @param tenantId from the credential
 * @param weightGeneration 1 to 2^53 - 1
 */
public record RevisionIdentity(
        String tenantId, String namespace, String resourceId, String revision, long weightGeneration)
        implements Comparable<RevisionIdentity> {

    private static final Comparator<RevisionIdentity> ORDER = Comparator.comparing(
                    RevisionIdentity::tenantId, Utf8.ORDER)
            .thenComparing(RevisionIdentity::namespace, Utf8.ORDER)
            .thenComparing(RevisionIdentity::resourceId, Utf8.ORDER)
            .thenComparing(RevisionIdentity::revision, Utf8.ORDER)
            .thenComparingLong(RevisionIdentity::weightGeneration);

    /** @throws io.weighbridge.ledger.problem.ProblemException INVALID_ARGUMENT that names the component */
    public RevisionIdentity {
        Validation.tenant("tenant_id", tenantId);
        Validation.text("namespace", namespace);
        Validation.text("resource_id", resourceId);
        Validation.text("revision", revision);
        Validation.counter("weight_generation", weightGeneration);
    }

    /** The opaque id under which URLs address this revision. */
    public RevisionId id() {
        return RevisionId.of(this);
    }

    /** {@code weight:} and the id: the group of all member objects. */
    public String payloadGroupId() {
        return CanonicalKeys.payloadGroupId(this);
    }

    /** The canonical key of the manifest object. */
    public String manifestKey() {
        return CanonicalKeys.manifestKey(this);
    }

    @Override
    public int compareTo(RevisionIdentity other) {
        return ORDER.compare(this, other);
    }
}
