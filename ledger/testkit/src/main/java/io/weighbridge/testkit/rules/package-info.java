/** How this code base is built, as tests with messages that say what to do. Every service runs all of them. */
@NullMarked
package io.weighbridge.testkit.rules;

import org.jspecify.annotations.NullMarked;
