/** Tests of the statements themselves. */
@NullMarked
package io.weighbridge.metadata.revision.postgres;

import org.jspecify.annotations.NullMarked;
