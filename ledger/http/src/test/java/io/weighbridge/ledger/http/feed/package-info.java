/** Tests in memory. */
@NullMarked
package io.weighbridge.ledger.http.feed;

import org.jspecify.annotations.NullMarked;
