/** The test kit's own tests. */
@NullMarked
package io.weighbridge.testkit;

import org.jspecify.annotations.NullMarked;
