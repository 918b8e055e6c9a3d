/**
 * One durable transaction per command: the revision guard, the database's clock, rows and oplog entries in one commit
 * (spec 1.5, 1.6, 1.9), and group commit for hot commands. It owns no service's table.
 */
@NullMarked
package io.weighbridge.ledger.store;

import org.jspecify.annotations.NullMarked;
