package io.weighbridge.agent.tier.memory;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which parts of an arena are free: best fit over ranges that are joined when they touch. Small extents are aligned to
 * a cache line, others to a page.
 */
final class ArenaSpace {

    /** The answer when no free range is large enough. */
    static final long NONE = -1;

    private static final int LINE = 64;
    private static final int PAGE = 4096;

    private final NavigableMap<Long, Long> endByStart = new TreeMap<>();
    private final TreeSet<Range> bySize = new TreeSet<>();

    private record Range(long length, long start) implements Comparable<Range> {
        @Override
        public int compareTo(Range other) {
            int lengths = Long.compare(length, other.length);
            return lengths != 0 ? lengths : Long.compare(start, other.start);
        }
    }

    ArenaSpace(long bytes) {
        add(0, bytes);
    }

    /** Bytes that an extent of this size takes from the arena. */
    static long footprint(long size) {
        return up(size, size < PAGE ? LINE : PAGE);
    }

    /** Takes {@link #footprint} bytes and answers their offset, or {@link #NONE}. */
    synchronized long take(long size) {
        long length = footprint(size);
        int alignment = size < PAGE ? LINE : PAGE;
        for (Range range : bySize.tailSet(new Range(length, 0))) {
            long start = up(range.start, alignment);
            if (start + length <= range.start + range.length) {
                remove(range);
                add(range.start, start);
                add(start + length, range.start + range.length);
                return start;
            }
        }
        return NONE;
    }

    /** Returns what {@link #take} gave for this size. */
    synchronized void give(long start, long size) {
        long from = start;
        long to = start + footprint(size);
        Map.Entry<Long, Long> before = endByStart.floorEntry(start);
        if (before != null && before.getValue() == from) {
            from = before.getKey();
            remove(new Range(before.getValue() - from, from));
        }
        Long after = endByStart.get(to);
        if (after != null) {
            remove(new Range(after - to, to));
            to = after;
        }
        add(from, to);
    }

    /** How many separate free ranges there are. */
    synchronized int ranges() {
        return endByStart.size();
    }

    private void add(long from, long to) {
        if (from < to) {
            endByStart.put(from, to);
            bySize.add(new Range(to - from, from));
        }
    }

    private void remove(Range range) {
        endByStart.remove(range.start);
        bySize.remove(range);
    }

    private static long up(long value, int alignment) {
        return (value + alignment - 1) & -alignment;
    }
}
