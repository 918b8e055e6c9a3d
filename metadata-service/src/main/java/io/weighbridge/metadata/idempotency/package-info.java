/** Commands that carry an Idempotency-Key take effect once (spec 1.5). */
@NullMarked
package io.weighbridge.metadata.idempotency;

import org.jspecify.annotations.NullMarked;
