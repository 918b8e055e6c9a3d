package io.weighbridge.agent.memory;

import java.util.List;

/** A way to release and resume device memory; an adapter each per technology. */
public interface DeviceMemoryDriver {

    /** As {@code GET /v1/node} tells it. */
    String name();

    /** Whether it works on this host; found once, may take a moment. */
    Availability availability();

    /** All drivers that this version knows by name. */
    static List<DeviceMemoryDriver> all() {
        return List.of(
                new NoCudaDriver("cuda-vmm"),
                new NoCudaDriver("cuda-checkpoint"),
                new UnbuiltDriver("engine"),
                new UnbuiltDriver("host"));
    }

    /** Whether a driver works here. */
    sealed interface Availability {

        /** It works. */
        record Available() implements Availability {}

        /** @param reason a clause for people */
        record Unavailable(String reason) implements Availability {}
    }
}
