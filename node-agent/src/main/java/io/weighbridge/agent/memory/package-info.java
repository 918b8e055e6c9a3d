/**
 * The port to device memory (spec 4.2): drivers that release and resume it. So far every one of them says why it does
 * not work; the adapters come with device memory.
 */
@NullMarked
package io.weighbridge.agent.memory;

import org.jspecify.annotations.NullMarked;
