/** From tensors in files to payload objects: which bytes go where, decided before one of them is read. */
@NullMarked
package io.weighbridge.manifest.packing;

import org.jspecify.annotations.NullMarked;
