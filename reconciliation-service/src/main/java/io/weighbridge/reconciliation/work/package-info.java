/** Which revisions need a look, and which instance looks. */
@NullMarked
package io.weighbridge.reconciliation.work;

import org.jspecify.annotations.NullMarked;
