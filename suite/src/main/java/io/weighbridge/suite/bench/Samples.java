package io.weighbridge.suite.bench;

import java.util.List;

/**
 * What was measured of one contender, once a round.
 *
 * @param name the contender
 * @param unit such as {@code leases/s}
 * @param values one a round, in the order of the rounds, at least one
 */
record Samples(String name, String unit, List<Double> values) {

    Samples {
        values = List.copyOf(values);
    }

    double median() {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    /** (largest - smallest) / median. */
    double spread() {
        double smallest = values.stream().min(Double::compare).orElseThrow();
        double largest = values.stream().max(Double::compare).orElseThrow();
        return (largest - smallest) / median();
    }
}
