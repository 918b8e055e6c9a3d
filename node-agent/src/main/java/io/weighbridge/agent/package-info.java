/** One per host: stores payload bytes, moves them and reports what it has (spec 4). */
@NullMarked
package io.weighbridge.agent;

import org.jspecify.annotations.NullMarked;
