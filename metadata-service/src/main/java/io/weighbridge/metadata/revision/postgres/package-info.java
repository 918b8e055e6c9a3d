/**
 * The only writer of the revision, import heartbeat and operation rows, and the statements that read a revision's
 * members.
 */
@NullMarked
package io.weighbridge.metadata.revision.postgres;

import org.jspecify.annotations.NullMarked;
