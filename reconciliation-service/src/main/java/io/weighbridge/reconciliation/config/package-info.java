/** What the service is made of, and its configuration's names. */
@NullMarked
package io.weighbridge.reconciliation.config;

import org.jspecify.annotations.NullMarked;
