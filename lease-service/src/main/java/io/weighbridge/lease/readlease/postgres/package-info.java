/** Readable copies, through metadata-service's versioned views. */
@NullMarked
package io.weighbridge.lease.readlease.postgres;

import org.jspecify.annotations.NullMarked;
