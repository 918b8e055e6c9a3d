/** Locate, and where a revision's manifest is. */
@NullMarked
package io.weighbridge.lease.readlease.http;

import org.jspecify.annotations.NullMarked;
