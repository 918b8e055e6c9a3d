/** Objects proven over HTTP against PostgreSQL, with a scripted agent. */
@NullMarked
package io.weighbridge.metadata.object;

import org.jspecify.annotations.NullMarked;
