/** The transfer endpoints, for the control plane only (spec 5.2). */
@NullMarked
package io.weighbridge.agent.transfer.http;

import org.jspecify.annotations.NullMarked;
