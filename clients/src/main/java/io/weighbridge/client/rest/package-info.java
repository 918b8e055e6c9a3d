/** The REST surface as typed, blocking calls: control through the gateway, payload bytes to and from agents. */
@NullMarked
package io.weighbridge.client.rest;

import org.jspecify.annotations.NullMarked;
