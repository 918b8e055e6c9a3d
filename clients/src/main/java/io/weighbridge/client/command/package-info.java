/** The command line: one class a verb. */
@NullMarked
package io.weighbridge.client.command;

import org.jspecify.annotations.NullMarked;
