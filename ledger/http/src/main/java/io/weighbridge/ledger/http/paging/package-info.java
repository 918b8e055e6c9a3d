/** Pages of lists and their opaque tokens (spec 5.1). */
@NullMarked
package io.weighbridge.ledger.http.paging;

import org.jspecify.annotations.NullMarked;
