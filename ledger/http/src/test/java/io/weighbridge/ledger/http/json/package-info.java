/** Tests in memory. */
@NullMarked
package io.weighbridge.ledger.http.json;

import org.jspecify.annotations.NullMarked;
