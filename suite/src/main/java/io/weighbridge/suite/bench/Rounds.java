package io.weighbridge.suite.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How contenders alternate: one warm-up each, then all of them once a round, so that the machine's moods hit all alike.
 *
 * @param count at least 1
 * @param duration of each contender's turn
 */
record Rounds(int count, Duration duration) {

    /** One contender's turn: runs for a while and returns its rate per second. */
    interface Turn {
        double run(Duration duration) throws Exception;
    }

    /** @param turns by name, in the order in which they take turns */
    Map<String, List<Double>> run(Map<String, Turn> turns) throws Exception {
        Map<String, List<Double>> values = new LinkedHashMap<>();
        for (Map.Entry<String, Turn> turn : turns.entrySet()) {
            System.err.println("  warming up: " + turn.getKey());
            turn.getValue().run(duration);
        }
        for (int round = 1; round <= count; round++) {
            for (Map.Entry<String, Turn> turn : turns.entrySet()) {
                double rate = turn.getValue().run(duration);
                System.err.printf("  round %d of %d: %s %,.0f/s%n", round, count, turn.getKey(), rate);
                values.computeIfAbsent(turn.getKey(), name -> new ArrayList<>()).add(rate);
            }
        }
        return values;
    }
}
