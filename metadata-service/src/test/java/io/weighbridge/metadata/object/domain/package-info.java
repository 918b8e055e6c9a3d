/** The put machine and the allocator, every cell of their tables. */
@NullMarked
package io.weighbridge.metadata.object.domain;

import org.jspecify.annotations.NullMarked;
