package io.weighbridge.testkit;

import reactor.blockhound.BlockHound;
import reactor.blockhound.integration.BlockHoundIntegration;

/**
 * What may block on an event loop in tests, each with its reason. BlockHound finds this class by itself, as it finds
 * the test run: whoever depends on the test kit is guarded.
 */
public final class BlockHoundSetup implements BlockHoundIntegration {

    @Override
    public void applyTo(BlockHound.Builder builder) {
        // Classes are loaded where they are first used; it reads files, once.
        builder.allowBlockingCallsInside("java.lang.ClassLoader", "loadClass");
        // The operating system's random numbers come from a device that does not wait.
        builder.allowBlockingCallsInside("java.security.SecureRandom", "nextBytes");
        // Log lines go to the console of the test run.
        builder.allowBlockingCallsInside("ch.qos.logback.classic.Logger", "callAppenders");
        // Short locks of libraries: a type's deserializer is made once; a buffer pool hands its chunks over.
        builder.allowBlockingCallsInside(
                "tools.jackson.databind.deser.DeserializerCache", "_createAndCacheValueDeserializer");
        builder.allowBlockingCallsInside("io.netty.buffer.AdaptivePoolingAllocator", "allocate");
        builder.allowBlockingCallsInside("io.netty.buffer.AdaptivePoolingAllocator", "reallocate");
        // A circuit breaker counts an outcome.
        builder.allowBlockingCallsInside("io.github.resilience4j.core.metrics.FixedSizeSlidingWindowMetrics", "record");
        // A timer's queue is locked while a cancelled task is taken out of it.
        builder.allowBlockingCallsInside("reactor.core.scheduler.PeriodicWorkerTask", "dispose");
        builder.allowBlockingCallsInside("reactor.core.scheduler.WorkerTask", "dispose");
    }
}
