/** Tests of the metadata service as a whole. */
@NullMarked
package io.weighbridge.metadata;

import org.jspecify.annotations.NullMarked;
