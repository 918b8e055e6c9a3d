/** Keys shared with one node each, under which tokens about its copies are signed (spec 2.3). */
@NullMarked
package io.weighbridge.lease.nodekey;

import org.jspecify.annotations.NullMarked;
