/**
 * What should be done about a revision, from what is so: plain Java, no clock, no calls (spec 1.8). Start with
 * {@code Planner}.
 */
@NullMarked
package io.weighbridge.reconciliation.revision.domain;

import org.jspecify.annotations.NullMarked;
