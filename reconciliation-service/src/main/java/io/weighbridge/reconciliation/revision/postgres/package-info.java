/** Counts from the other services' views; nothing is written. */
@NullMarked
package io.weighbridge.reconciliation.revision.postgres;

import org.jspecify.annotations.NullMarked;
