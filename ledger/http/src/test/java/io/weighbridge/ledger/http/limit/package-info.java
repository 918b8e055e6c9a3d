/** Tests in memory. */
@NullMarked
package io.weighbridge.ledger.http.limit;

import org.jspecify.annotations.NullMarked;
