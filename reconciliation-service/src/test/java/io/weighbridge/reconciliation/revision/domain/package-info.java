/** The planner against tables and against a simulated world. */
@NullMarked
package io.weighbridge.reconciliation.revision.domain;

import org.jspecify.annotations.NullMarked;
