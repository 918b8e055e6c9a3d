/** Lease endpoints, single and in batches, and the list of a revision's leases. */
@NullMarked
package io.weighbridge.lease.revisionlease.http;

import org.jspecify.annotations.NullMarked;
