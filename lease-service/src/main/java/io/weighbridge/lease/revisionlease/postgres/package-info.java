/** The rows of {@code lease.revision_lease} and the view of the revisions that they protect. */
@NullMarked
package io.weighbridge.lease.revisionlease.postgres;

import org.jspecify.annotations.NullMarked;
