/** The closed lists of words that several services share. */
@NullMarked
package io.weighbridge.ledger.vocabulary;

import org.jspecify.annotations.NullMarked;
