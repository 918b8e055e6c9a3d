package io.weighbridge.suite.bench;

import org.jspecify.annotations.Nullable;

/**
 * One ratio that a row claims.
 *
 * @param ours what Weighbridge does
 * @param peer what it is compared with, or null when that is not installed
 * @param goal the ratio that is wanted
 */
record Comparison(String row, Samples ours, @Nullable Samples peer, String peerName, double goal) {

    /** Ours over the peer's median, or null without a peer. */
    @Nullable
    Double ratio() {
        return peer == null ? null : ours.median() / peer.median();
    }
}
