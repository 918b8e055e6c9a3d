/** Every reason for which a command or a request is refused, once, with its meaning for a caller's retry. */
@NullMarked
package io.weighbridge.ledger.problem;

import org.jspecify.annotations.NullMarked;
