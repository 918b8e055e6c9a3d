/** Agents fetch their own keys. */
@NullMarked
package io.weighbridge.lease.nodekey.http;

import org.jspecify.annotations.NullMarked;
