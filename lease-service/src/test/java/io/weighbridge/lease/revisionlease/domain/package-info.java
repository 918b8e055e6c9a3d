/** Tests. */
@NullMarked
package io.weighbridge.lease.revisionlease.domain;

import org.jspecify.annotations.NullMarked;
