/** Tests. */
@NullMarked
package io.weighbridge.lease.readlease.postgres;

import org.jspecify.annotations.NullMarked;
