package io.weighbridge.metadata.revision.postgres;

import io.weighbridge.ledger.key.CanonicalKeys;

/**
 * Short stand-ins for texts that can exceed an index row; length-prefixed, so that no two differ only by their seams.
 */
final class ResourceHashes {

    private ResourceHashes() {}

    static String namespace(String tenantId, String namespace) {
        return CanonicalKeys.objectId(tenantId, namespace);
    }

    static String resource(String tenantId, String namespace, String resourceId) {
        return CanonicalKeys.objectId(namespace(tenantId, namespace), resourceId);
    }
}
