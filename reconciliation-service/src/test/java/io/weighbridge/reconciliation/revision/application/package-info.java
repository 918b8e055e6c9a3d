/** The whole service against stand-ins of its peers. */
@NullMarked
package io.weighbridge.reconciliation.revision.application;

import org.jspecify.annotations.NullMarked;
