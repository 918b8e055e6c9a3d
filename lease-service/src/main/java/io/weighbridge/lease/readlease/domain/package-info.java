/** What a readable copy is, and how long a permission to read it may last. */
@NullMarked
package io.weighbridge.lease.readlease.domain;

import org.jspecify.annotations.NullMarked;
