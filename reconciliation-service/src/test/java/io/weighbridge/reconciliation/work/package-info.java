/** Claims against a real ledger. */
@NullMarked
package io.weighbridge.reconciliation.work;

import org.jspecify.annotations.NullMarked;
