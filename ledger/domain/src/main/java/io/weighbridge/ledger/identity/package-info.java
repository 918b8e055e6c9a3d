/**
 * Who and what: revision identities, their opaque ids, fences, and the one place that validates text and counters
 * (spec 1.2).
 */
@NullMarked
package io.weighbridge.ledger.identity;

import org.jspecify.annotations.NullMarked;
