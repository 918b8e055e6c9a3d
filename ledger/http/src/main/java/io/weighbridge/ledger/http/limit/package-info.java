/** Time and concurrency limits of every endpoint (spec 5.1). */
@NullMarked
package io.weighbridge.ledger.http.limit;

import org.jspecify.annotations.NullMarked;
