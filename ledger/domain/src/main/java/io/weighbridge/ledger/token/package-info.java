/** Capabilities: hashed secrets, and the write tokens and read leases that an agent checks offline (spec 2.3). */
@NullMarked
package io.weighbridge.ledger.token;

import org.jspecify.annotations.NullMarked;
