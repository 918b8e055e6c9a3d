/** What makes a repeated or concurrent request safe: If-Match, ETag, Idempotency-Key (spec 5.1). */
@NullMarked
package io.weighbridge.ledger.http.fence;

import org.jspecify.annotations.NullMarked;
