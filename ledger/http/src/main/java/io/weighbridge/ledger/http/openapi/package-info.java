/** The OpenAPI document of a service, generated from its code (spec 5.4). */
@NullMarked
package io.weighbridge.ledger.http.openapi;

import org.jspecify.annotations.NullMarked;
