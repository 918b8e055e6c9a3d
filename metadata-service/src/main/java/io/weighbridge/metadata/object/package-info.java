/** Objects and their copies (spec 2). */
@NullMarked
package io.weighbridge.metadata.object;

import org.jspecify.annotations.NullMarked;
