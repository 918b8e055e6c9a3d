/**
 * lease-service: who reads which weight revision ({@link io.weighbridge.lease.revisionlease}), and short permissions to
 * read copies of objects ({@link io.weighbridge.lease.readlease}, {@link io.weighbridge.lease.page}) under keys that it
 * shares with each node ({@link io.weighbridge.lease.nodekey}). It owns the schema {@code lease}.
 */
@NullMarked
package io.weighbridge.lease;

import org.jspecify.annotations.NullMarked;
