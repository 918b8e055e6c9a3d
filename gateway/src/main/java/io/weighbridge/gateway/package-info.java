/** One door: all services and agents under one origin, with time limits and circuit breakers (spec 5.2). */
@NullMarked
package io.weighbridge.gateway;

import org.jspecify.annotations.NullMarked;
