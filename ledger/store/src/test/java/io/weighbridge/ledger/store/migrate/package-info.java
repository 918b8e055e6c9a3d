/** Tests with a real server. */
@NullMarked
package io.weighbridge.ledger.store.migrate;

import org.jspecify.annotations.NullMarked;
