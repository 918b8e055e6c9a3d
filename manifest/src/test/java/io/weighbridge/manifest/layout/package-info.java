/** Checkpoints for tests: the names and shapes of real ones at full size, and small synthetic ones with real bytes. */
@NullMarked
package io.weighbridge.manifest.layout;

import org.jspecify.annotations.NullMarked;
