/**
 * The JSON bodies of the REST surface (spec 5), once, for servers and callers alike. Names are {@code snake_case} on
 * the wire. A nullable component may be absent; every other one is always there. Times are UTC with milliseconds; sizes
 * are bytes.
 */
@NullMarked
package io.weighbridge.wire;

import org.jspecify.annotations.NullMarked;
