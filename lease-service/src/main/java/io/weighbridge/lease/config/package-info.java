/** What the service is made of, and its settings. */
@NullMarked
package io.weighbridge.lease.config;

import org.jspecify.annotations.NullMarked;
