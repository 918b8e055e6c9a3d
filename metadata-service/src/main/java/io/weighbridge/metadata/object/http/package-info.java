/** Requests on objects to commands, answers to bodies. */
@NullMarked
package io.weighbridge.metadata.object.http;

import org.jspecify.annotations.NullMarked;
