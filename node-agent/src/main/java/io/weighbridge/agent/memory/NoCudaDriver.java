package io.weighbridge.agent.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Stands in for a driver on CUDA: looks at what the host has, and is never available in this version. */
record NoCudaDriver(String name) implements DeviceMemoryDriver {

    private static final String LIBRARY = "libcuda.so.1";

    /** The host's part of the reason; the library is looked at once. */
    private static final String HOST = look();

    @Override
    public Availability availability() {
        return new Availability.Unavailable(HOST + UnbuiltDriver.REASON);
    }

    private static String look() {
        SymbolLookup library;
        try {
            // Never unloaded: an initialised CUDA has threads of its own.
            library = SymbolLookup.libraryLookup(LIBRARY, Arena.global());
        } catch (IllegalArgumentException e) {
            return LIBRARY + " is not on this host, and ";
        }
        return library.find("cuInit").map(NoCudaDriver::init).orElse(LIBRARY + " has no cuInit, and ");
    }

    private static String init(MemorySegment function) {
        MethodHandle init = Linker.nativeLinker()
                .downcallHandle(function, FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
        try {
            int result = (int) init.invokeExact(0);
            return result == 0 ? "" : "cuInit answers " + result + ", and ";
        } catch (Error e) {
            throw e;
        } catch (Throwable e) {
            return "cuInit cannot be called, and ";
        }
    }
}
