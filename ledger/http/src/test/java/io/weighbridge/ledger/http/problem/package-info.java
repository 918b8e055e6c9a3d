/** Tests in memory. */
@NullMarked
package io.weighbridge.ledger.http.problem;

import org.jspecify.annotations.NullMarked;
