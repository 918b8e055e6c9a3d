/** Tests of the house rules. */
@NullMarked
package io.weighbridge.testkit.rules;

import org.jspecify.annotations.NullMarked;
