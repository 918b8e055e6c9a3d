package io.weighbridge.ledger.store.feed;

import io.weighbridge.ledger.vocabulary.EntryKind;
import io.weighbridge.wire.FeedEntry;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which entries a consumer wants, and may see.
 *
 * @param tenantId only this tenant's; null for all, which is for administrators and services. Entries of nodes belong
 *     to no tenant (theirs is empty), so that only administrators and services see them
 * @param kinds empty for all
 * @param revisionId 64 hexadecimal digits, null for all
 * @param nodeId null for all
 */
public record FeedFilter(
        @Nullable String tenantId,
        Set<EntryKind> kinds,
        @Nullable String revisionId,
        @Nullable UUID nodeId) {

    public FeedFilter {
        kinds = Set.copyOf(kinds);
    }

    /** Everything. */
    public static FeedFilter all() {
        return new FeedFilter(null, Set.of(), null, null);
    }

    /** The same, of one tenant only. */
    public FeedFilter ofTenant(String tenant) {
        return new FeedFilter(tenant, kinds, revisionId, nodeId);
    }

    /** The same, of these kinds only. */
    public FeedFilter ofKinds(Set<EntryKind> wanted) {
        return new FeedFilter(tenantId, wanted, revisionId, nodeId);
    }

    /** The same, of one revision only. */
    public FeedFilter ofRevision(String revision) {
        return new FeedFilter(tenantId, kinds, revision, nodeId);
    }

    /** The same, of one node only. */
    public FeedFilter ofNode(UUID node) {
        return new FeedFilter(tenantId, kinds, revisionId, node);
    }

    /** The test that {@link FeedReader} puts into SQL, for entries that are in memory already. */
    Accepts accepts() {
        return new Accepts(this, kinds.stream().map(EntryKind::name).collect(Collectors.toUnmodifiableSet()));
    }

    /** A filter with the names of its kinds. */
    record Accepts(FeedFilter filter, Set<String> kindNames) {

        boolean test(FeedEntry entry) {
            return (filter.tenantId == null || filter.tenantId.equals(entry.tenantId()))
                    && (kindNames.isEmpty() || kindNames.contains(entry.kind()))
                    && (filter.revisionId == null || filter.revisionId.equals(entry.revisionId()))
                    && (filter.nodeId == null || filter.nodeId.equals(entry.nodeId()));
        }
    }
}
