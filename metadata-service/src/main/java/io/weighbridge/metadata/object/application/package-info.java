/** Loads, lets the put machine decide, writes: one path for single commands and batches (spec 2.2). */
@NullMarked
package io.weighbridge.metadata.object.application;

import org.jspecify.annotations.NullMarked;
