/**
 * The reconciliation service: makes what is so into what should be so (spec 1.8). {@code work} shares the revisions
 * that need a look among the instances; {@code revision} looks at one and acts.
 */
@NullMarked
package io.weighbridge.reconciliation;

import org.jspecify.annotations.NullMarked;
