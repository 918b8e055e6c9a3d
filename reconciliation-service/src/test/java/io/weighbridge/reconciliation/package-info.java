/** The house rules, kept by this service. */
@NullMarked
package io.weighbridge.reconciliation;

import org.jspecify.annotations.NullMarked;
