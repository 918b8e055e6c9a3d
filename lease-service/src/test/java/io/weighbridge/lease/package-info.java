/** Tests. */
@NullMarked
package io.weighbridge.lease;

import org.jspecify.annotations.NullMarked;
