package io.weighbridge.agent.tier;

import io.weighbridge.agent.tier.memory.MemoryTier;
import java.io.IOException;

class MemoryTierTest extends SegmentContract {

    @Override
    Segment open() throws IOException {
        return MemoryTier.open(newId(), newId(), CAPACITY);
    }
}
