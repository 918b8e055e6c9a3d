/** Requests to commands, outcomes to statuses. */
@NullMarked
package io.weighbridge.metadata.revision.http;

import org.jspecify.annotations.NullMarked;
