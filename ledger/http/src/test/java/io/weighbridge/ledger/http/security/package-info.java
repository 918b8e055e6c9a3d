/** Tests in memory. */
@NullMarked
package io.weighbridge.ledger.http.security;

import org.jspecify.annotations.NullMarked;
