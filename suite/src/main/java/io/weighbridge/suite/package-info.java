/** The command line's entry, and what only makes sense with the whole suite at hand: its start, the quick start. */
@NullMarked
package io.weighbridge.suite;

import org.jspecify.annotations.NullMarked;
