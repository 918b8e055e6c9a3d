/** The life of a transfer as a machine (spec 4.2), in plain Java. */
@NullMarked
package io.weighbridge.agent.transfer.domain;

import org.jspecify.annotations.NullMarked;
