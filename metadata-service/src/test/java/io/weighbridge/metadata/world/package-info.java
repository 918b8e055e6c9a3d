/** A running metadata service on a database of its own, and scripted agents that call it as real ones would. */
@NullMarked
package io.weighbridge.metadata.world;

import org.jspecify.annotations.NullMarked;
