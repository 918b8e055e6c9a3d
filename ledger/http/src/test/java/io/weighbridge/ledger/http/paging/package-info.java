/** Tests in memory. */
@NullMarked
package io.weighbridge.ledger.http.paging;

import org.jspecify.annotations.NullMarked;
