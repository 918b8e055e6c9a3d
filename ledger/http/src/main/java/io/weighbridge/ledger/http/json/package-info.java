/** JSON of requests and answers: strict about what comes in, with the place of what is wrong. */
@NullMarked
package io.weighbridge.ledger.http.json;

import org.jspecify.annotations.NullMarked;
