/** Tests of the revision machine alone. */
@NullMarked
package io.weighbridge.metadata.revision.domain;

import org.jspecify.annotations.NullMarked;
