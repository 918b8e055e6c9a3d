/** Reads the readable copies in one statement and signs a permission for each. */
@NullMarked
package io.weighbridge.lease.readlease.application;

import org.jspecify.annotations.NullMarked;
