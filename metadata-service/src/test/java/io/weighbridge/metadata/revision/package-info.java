/** Tests of the subject {@code revision}: the machine's tables, and the service with a real ledger. */
@NullMarked
package io.weighbridge.metadata.revision;

import org.jspecify.annotations.NullMarked;
