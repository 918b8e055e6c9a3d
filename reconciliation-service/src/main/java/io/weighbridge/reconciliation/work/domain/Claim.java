package io.weighbridge.reconciliation.work.domain;

import io.weighbridge.ledger.identity.RevisionId;

/**
 * The right to act on one revision for a while.
 *
 * @param epoch of all claims, so that of two the later is higher; results carry it
 * @param failures in a row before this claim
 */
public record Claim(RevisionId revision, long epoch, int failures) {}
