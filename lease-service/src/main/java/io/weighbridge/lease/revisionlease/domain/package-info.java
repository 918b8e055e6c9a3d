/**
 * The machine of revision leases in five files: {@link io.weighbridge.lease.revisionlease.domain.LeaseState} (what can
 * be), {@link io.weighbridge.lease.revisionlease.domain.LeaseCommand}, {@link
 * io.weighbridge.lease.revisionlease.domain.LeaseEvent}, {@link io.weighbridge.lease.revisionlease.domain.LeaseRefusal}
 * and the rules, {@link io.weighbridge.lease.revisionlease.domain.LeaseDecider} (spec 1.5).
 */
@NullMarked
package io.weighbridge.lease.revisionlease.domain;

import org.jspecify.annotations.NullMarked;
