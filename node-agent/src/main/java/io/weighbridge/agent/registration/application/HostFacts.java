package io.weighbridge.agent.registration.application;

import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
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
        String cuda = hasLibrary("libcuda.so.1") ? "" : "libcuda.so.1 is not on this host, and ";
        reasons.put("cuda-vmm", cuda + "this version has no such memory driver yet");
        reasons.put("cuda-checkpoint", cuda + "this version has no such memory driver yet");
        reasons.put("engine", "this version has no such memory driver yet");
        reasons.put("host", "this version has no such memory driver yet");
        for (String tier : new String[] {"DFS", "NOF", "OBJECT_STORE"}) {
            reasons.put(tier, "this version has no such tier yet");
        }
        return Map.copyOf(reasons);
    }

    private static boolean hasLibrary(String name) {
        try (Arena arena = Arena.ofConfined()) {
            SymbolLookup.libraryLookup(name, arena);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
