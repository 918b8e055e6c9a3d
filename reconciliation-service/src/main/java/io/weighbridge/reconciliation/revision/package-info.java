/** What is done about one revision: evict, rehydrate, repair, delete, abort, observe (spec 1.8). */
@NullMarked
package io.weighbridge.reconciliation.revision;

import org.jspecify.annotations.NullMarked;
