/** Pulls of whole objects into new copies: bounded, fair between tenants, resumable, verified (spec 4.2). */
@NullMarked
package io.weighbridge.agent.transfer.application;

import org.jspecify.annotations.NullMarked;
