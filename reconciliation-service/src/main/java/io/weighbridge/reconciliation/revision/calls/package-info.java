/** Calls of metadata-service, lease-service and the agents. */
@NullMarked
package io.weighbridge.reconciliation.revision.calls;

import org.jspecify.annotations.NullMarked;
