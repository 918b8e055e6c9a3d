package io.weighbridge.client.weights;

import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.manifest.SourceTensor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Compares every tensor byte that is read with the checkpoint's files. */
public final class FileComparison implements TensorSink, AutoCloseable {

    private final Map<String, SourceTensor> tensors = new HashMap<>();
    private final Map<Path, FileChannel> channels = new ConcurrentHashMap<>();
    private final AtomicLong compared = new AtomicLong();

    public FileComparison(List<SourceTensor> tensors) throws IOException {
        for (SourceTensor tensor : tensors) {
            this.tensors.put(tensor.name(), tensor);
            if (!channels.containsKey(tensor.file())) {
                channels.put(tensor.file(), FileChannel.open(tensor.file(), StandardOpenOption.READ));
            }
        }
    }

    /** @throws ProblemException CHECKSUM_MISMATCH that names the tensor, at the first byte that differs */
    @Override
    public void accept(String tensor, long offset, ByteBuffer bytes) throws IOException {
        SourceTensor source = tensors.get(tensor);
        FileChannel channel = source == null ? null : channels.get(source.file());
        if (source == null || channel == null) {
            throw new ProblemException(ProblemCode.COVERAGE_FAILED, tensor + " is not in the checkpoint");
        }
        ByteBuffer expected = ByteBuffer.allocate(bytes.remaining());
        while (expected.hasRemaining()) {
            if (channel.read(expected, source.offset() + offset + expected.position()) < 0) {
                throw new IOException(source.file() + " became shorter while it was read");
            }
        }
        int difference = expected.flip().mismatch(bytes);
        if (difference >= 0) {
            throw new ProblemException(
                    ProblemCode.CHECKSUM_MISMATCH, tensor + " differs at byte " + (offset + difference));
        }
        compared.addAndGet(bytes.remaining());
    }

    /** How many tensor bytes were found equal. */
    public long comparedBytes() {
        return compared.get();
    }

    @Override
    public void close() throws IOException {
        for (FileChannel channel : channels.values()) {
            channel.close();
        }
    }
}
