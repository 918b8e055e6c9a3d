/** The gateway between stand-in services; nothing of the suite but the gateway runs here. */
@NullMarked
package io.weighbridge.gateway;

import org.jspecify.annotations.NullMarked;
