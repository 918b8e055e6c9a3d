/** Tests of the edge against a real port. */
@NullMarked
package io.weighbridge.ledger.http;

import org.jspecify.annotations.NullMarked;
