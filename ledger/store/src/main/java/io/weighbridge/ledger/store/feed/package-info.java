/**
 * Every committed entry of the oplog, in feed order, without gaps and once (spec 1.9): pages for those who ask, and one
 * poller per instance that fans out to those who listen. Notifications only wake it; the poll is the truth.
 */
@NullMarked
package io.weighbridge.ledger.store.feed;

import org.jspecify.annotations.NullMarked;
