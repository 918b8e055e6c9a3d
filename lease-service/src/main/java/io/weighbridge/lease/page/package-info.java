/** Logical pages, which are hits only as a whole (spec 2.4). */
@NullMarked
package io.weighbridge.lease.page;

import org.jspecify.annotations.NullMarked;
