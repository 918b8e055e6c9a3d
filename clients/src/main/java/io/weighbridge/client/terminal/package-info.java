/** What a person sees on a terminal: progress and tables. */
@NullMarked
package io.weighbridge.client.terminal;

import org.jspecify.annotations.NullMarked;
