/** Tests with a real server. */
@NullMarked
package io.weighbridge.ledger.store.embedded;

import org.jspecify.annotations.NullMarked;
