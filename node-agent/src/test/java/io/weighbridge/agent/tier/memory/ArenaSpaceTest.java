package io.weighbridge.agent.tier.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ArenaSpaceTest {

    private static final int LINE = 64;

    private record Taken(long start, long size) {}

    /** Against a bit for each cache line: nothing overlaps, everything is aligned, all comes back as one range. */
    @Test
    void neverGivesALineTwice() {
        int lines = 1 << 15;
        for (int seed = 0; seed < 20; seed++) {
            Random random = new Random(seed);
            ArenaSpace space = new ArenaSpace((long) lines * LINE);
            BitSet model = new BitSet(lines);
            List<Taken> live = new ArrayList<>();
            for (int i = 0; i < 2000; i++) {
                if (random.nextInt(5) > 1) {
                    long size = 1 + random.nextInt(random.nextBoolean() ? 300 : 60_000);
                    long start = space.take(size);
                    if (start == ArenaSpace.NONE) {
                        continue;
                    }
                    assertThat(start % (size < 4096 ? 64 : 4096)).isZero();
                    int from = (int) (start / LINE);
                    int to = (int) ((start + ArenaSpace.footprint(size)) / LINE);
                    assertThat(to).isLessThanOrEqualTo(lines);
                    assertThat(model.get(from, to).isEmpty()).isTrue();
                    model.set(from, to);
                    live.add(new Taken(start, size));
                } else if (!live.isEmpty()) {
                    Taken taken = live.remove(random.nextInt(live.size()));
                    space.give(taken.start(), taken.size());
                    model.clear((int) (taken.start() / LINE), (int)
                            ((taken.start() + ArenaSpace.footprint(taken.size())) / LINE));
                }
            }
            live.forEach(taken -> space.give(taken.start(), taken.size()));
            assertThat(space.ranges()).isEqualTo(1);
            assertThat(space.take((long) lines * LINE)).isZero();
        }
    }

    @Test
    void takesTheSmallestHoleThatFits() {
        ArenaSpace space = new ArenaSpace(1 << 20);
        long a = space.take(8192);
        long b = space.take(4096);
        long c = space.take(16384);
        long d = space.take(4096);
        assertThat(List.of(a, b, c, d)).containsExactly(0L, 8192L, 12288L, 28672L);
        space.give(a, 8192);
        space.give(c, 16384);
        assertThat(space.take(5000)).isEqualTo(a);
        assertThat(space.take(9000)).isEqualTo(c);
    }
}
