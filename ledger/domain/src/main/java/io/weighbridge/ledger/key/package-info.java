/** Canonical keys and digests (spec 1.3), to which all parties must come independently. */
@NullMarked
package io.weighbridge.ledger.key;

import org.jspecify.annotations.NullMarked;
