/** A claim on one revision, what came of it, and how long to wait after failures. */
@NullMarked
package io.weighbridge.reconciliation.work.domain;

import org.jspecify.annotations.NullMarked;
