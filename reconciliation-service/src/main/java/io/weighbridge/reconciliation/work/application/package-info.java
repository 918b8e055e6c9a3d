/**
 * Claims what is due, lets it be looked at, and gives it back; learns what is due from the feed and from a full sweep.
 * It does not know what a look is.
 */
@NullMarked
package io.weighbridge.reconciliation.work.application;

import org.jspecify.annotations.NullMarked;
