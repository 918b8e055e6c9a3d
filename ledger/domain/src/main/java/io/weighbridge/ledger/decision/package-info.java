/** The three ways in which a command can end, the same for every machine of the ledger. */
@NullMarked
package io.weighbridge.ledger.decision;

import org.jspecify.annotations.NullMarked;
