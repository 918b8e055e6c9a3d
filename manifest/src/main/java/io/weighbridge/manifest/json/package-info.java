/** JSON without tolerance: a reader that names what it refuses, a writer with one spelling for every value. */
@NullMarked
package io.weighbridge.manifest.json;

import org.jspecify.annotations.NullMarked;
