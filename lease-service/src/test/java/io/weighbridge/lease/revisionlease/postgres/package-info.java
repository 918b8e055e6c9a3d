/** Tests. */
@NullMarked
package io.weighbridge.lease.revisionlease.postgres;

import org.jspecify.annotations.NullMarked;
