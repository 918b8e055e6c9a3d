package io.weighbridge.client.weights;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Takes tensor bytes as they arrive, in any order, each byte exactly once; called from several threads. */
public interface TensorSink {

    /**
     * @param tensor its name
     * @param offset where in the tensor's row-major bytes this run begins
     * @param bytes the run; taken whole
     */
    void accept(String tensor, long offset, ByteBuffer bytes) throws IOException;
}
