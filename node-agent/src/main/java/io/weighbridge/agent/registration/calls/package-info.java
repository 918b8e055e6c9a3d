/** The ledger's services over HTTP. */
@NullMarked
package io.weighbridge.agent.registration.calls;

import org.jspecify.annotations.NullMarked;
