package io.weighbridge.agent.registration.application;

import io.weighbridge.agent.memory.DeviceMemoryDriver;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** What does not work on this host or in this version, and why (spec 3.2, 4.2). */
public final class HostFacts {

    private static final Map<String, String> UNAVAILABLE = look();

    private HostFacts() {}

    /** By name of transport, tier or driver. */
    public static Map<String, String> unavailable() {
        return UNAVAILABLE;
    }

    private static Map<String, String> look() {
        Map<String, String> reasons = new TreeMap<>();
        reasons.put(
                "rdma",
                Files.isDirectory(Path.of("/sys/class/infiniband"))
                        ? "this version has no rdma transport yet"
                        : "this host has no verbs device, and this version has no rdma transport yet");
        reasons.put("shm", "this version has no shared-memory transport yet; peers of one host use http");
        reasons.put("tcp", "this version has no tcp transport of its own yet; http does its work");
        for (DeviceMemoryDriver driver : DeviceMemoryDriver.all()) {
            if (driver.availability() instanceof DeviceMemoryDriver.Availability.Unavailable(String reason)) {
                reasons.put(driver.name(), reason);
            }
        }
        for (String tier : new String[] {"DFS", "NOF", "OBJECT_STORE"}) {
            reasons.put(tier, "this version has no such tier yet");
        }
        return Map.copyOf(reasons);
    }
}
