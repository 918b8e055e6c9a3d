/** Tests of the ledger's mechanism against a real server. */
@NullMarked
package io.weighbridge.ledger.store;

import org.jspecify.annotations.NullMarked;
