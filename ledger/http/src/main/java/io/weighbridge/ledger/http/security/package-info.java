/** Who calls, what they may do, and which listeners need a credential (spec 5.3). */
@NullMarked
package io.weighbridge.ledger.http.security;

import org.jspecify.annotations.NullMarked;
