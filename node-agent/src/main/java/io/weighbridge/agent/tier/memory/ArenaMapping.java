package io.weighbridge.agent.tier.memory;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.channels.FileChannel;

/**
 * The arena's memory: an anonymous file that lives in memory only (memfd), mapped once. Pages cost nothing before they
 * are touched. Closing returns the pages; the addresses go when nobody can reach them any more.
 *
 * @param file the memfd
 * @param memory the whole mapping
 */
record ArenaMapping(RandomAccessFile file, MemorySegment memory) implements AutoCloseable {

    private static final int CLOEXEC = 1;

    /**
     * @param bytes size of the mapping
     * @throws IOException when the host refuses that much memory or has no memfd
     */
    static ArenaMapping create(long bytes) throws IOException {
        int descriptor = memfd();
        try {
            RandomAccessFile file = new RandomAccessFile("/proc/self/fd/" + descriptor, "rw");
            file.setLength(bytes);
            return new ArenaMapping(
                    file, file.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, bytes, Arena.ofAuto()));
        } finally {
            close(descriptor);
        }
    }

    /** Nobody may touch the memory any more. */
    @Override
    public void close() {
        try (file) {
            file.setLength(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int memfd() throws IOException {
        MethodHandle create = handle(
                "memfd_create", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
        try (Arena arena = Arena.ofConfined()) {
            int descriptor = (int) create.invokeExact(arena.allocateFrom("weighbridge-arena"), CLOEXEC);
            if (descriptor < 0) {
                throw new IOException("this host gives no memfd");
            }
            return descriptor;
        } catch (IOException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IOException("memfd_create cannot be called", e);
        }
    }

    private static void close(int descriptor) throws IOException {
        MethodHandle close = handle("close", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
        try {
            if ((int) close.invokeExact(descriptor) != 0) {
                throw new IOException("a memfd cannot be closed");
            }
        } catch (IOException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IOException("close cannot be called", e);
        }
    }

    private static MethodHandle handle(String function, FunctionDescriptor shape) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(function), shape);
    }
}
