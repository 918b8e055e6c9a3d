/** The rows of objects, puts and copies; the projections here are their only writers. */
@NullMarked
package io.weighbridge.metadata.object.postgres;

import org.jspecify.annotations.NullMarked;
