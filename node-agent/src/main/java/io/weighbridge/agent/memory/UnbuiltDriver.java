package io.weighbridge.agent.memory;

/** A driver that this version does not have. */
record UnbuiltDriver(String name) implements DeviceMemoryDriver {

    /** Why, whatever the host has. */
    static final String REASON = "this version has no such memory driver yet";

    @Override
    public Availability availability() {
        return new Availability.Unavailable(REASON);
    }
}
