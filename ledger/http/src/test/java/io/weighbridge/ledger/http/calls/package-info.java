/** Tests of calls to peers. */
@NullMarked
package io.weighbridge.ledger.http.calls;

import org.jspecify.annotations.NullMarked;
