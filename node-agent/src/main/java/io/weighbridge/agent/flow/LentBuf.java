package io.weighbridge.agent.flow;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledDirectByteBuf;
import java.nio.ByteBuffer;

/** Off-heap memory of somebody else as a Netty buffer, without a copy. Its last release tells the owner. */
public final class LentBuf extends UnpooledDirectByteBuf {

    private final Runnable returned;

    /** @param bytes direct; its remaining bytes are shown */
    public LentBuf(ByteBuffer bytes, Runnable returned) {
        super(UnpooledByteBufAllocator.DEFAULT, bytes, bytes.remaining());
        this.returned = returned;
    }

    @Override
    protected void deallocate() {
        super.deallocate();
        returned.run();
    }
}
