/** What the reconciler tells about itself. */
@NullMarked
package io.weighbridge.reconciliation.revision.http;

import org.jspecify.annotations.NullMarked;
