/** How an agent is put together from its settings. */
@NullMarked
package io.weighbridge.agent.config;

import org.jspecify.annotations.NullMarked;
