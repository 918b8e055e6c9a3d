/**
 * Checkpoints on disk: safetensors headers and Hugging Face directories, believed only after every claim is checked.
 */
@NullMarked
package io.weighbridge.manifest.safetensors;

import org.jspecify.annotations.NullMarked;
