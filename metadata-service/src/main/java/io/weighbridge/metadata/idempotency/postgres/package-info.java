/** The only writer of the idempotency rows. */
@NullMarked
package io.weighbridge.metadata.idempotency.postgres;

import org.jspecify.annotations.NullMarked;
