/** A tiny service with one endpoint for each thing the edge does. */
@NullMarked
package io.weighbridge.ledger.http.example;

import org.jspecify.annotations.NullMarked;
