/** The tables {@code reconciliation.work} and {@code reconciliation.feed_cursor}; short transactions only. */
@NullMarked
package io.weighbridge.reconciliation.work.postgres;

import org.jspecify.annotations.NullMarked;
