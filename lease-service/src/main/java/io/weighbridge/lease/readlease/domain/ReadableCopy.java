package io.weighbridge.lease.readlease.domain;

import io.weighbridge.ledger.token.NodeKey;
import io.weighbridge.ledger.token.ReadLease;
import io.weighbridge.ledger.vocabulary.Tier;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/**
 * A copy that may be read, as one statement saw it (spec 2.1, 2.3).
 *
 * @param url the holding agent's base URL
 * @param issued the transaction timestamp of that statement, cut to milliseconds: never later than what it saw
 */
public record ReadableCopy(
        String tenantId,
        String objectId,
        long objectVersion,
        UUID replicaId,
        UUID nodeId,
        UUID segmentId,
        long segmentEpoch,
        Tier tier,
        String url,
        Instant issued) {

    /** Permission to read this copy for some time, under its node's key. */
    public String sign(NodeKey key, Duration ttl) {
        return new ReadLease(tenantId, objectId, objectVersion, replicaId, segmentEpoch, issued, ttl).sign(key);
    }
}
