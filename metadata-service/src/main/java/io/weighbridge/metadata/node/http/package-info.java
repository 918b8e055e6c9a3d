/** The agents' requests and the lists of nodes and segments. */
@NullMarked
package io.weighbridge.metadata.node.http;

import org.jspecify.annotations.NullMarked;
