package io.weighbridge.manifest;

import io.weighbridge.ledger.identity.Validation;
import java.util.List;

/** How much a tensor or a box of one holds. Every multiplication is checked; nothing beyond 2^53 - 1 is believed. */
public sealed interface Extent {

    /** The most dimensions a shape may have. */
    int RANK_MAX = 64;

    /**
     * A shape that can be stored.
     *
     * @param elements 0 to 2^53 - 1; 1 for a scalar
     * @param bytes 0 to 2^53 - 1
     */
    record Sized(long elements, long bytes) implements Extent {}

    /** A shape that cannot, and why. */
    record Impossible(String message) implements Extent {}

    /** The extent of a shape: a scalar has no dimensions, a dimension of 0 makes an empty tensor. */
    static Extent of(Dtype dtype, List<Long> shape) {
        if (shape.size() > RANK_MAX) {
            return new Impossible("has " + shape.size() + " dimensions, at most " + RANK_MAX + " are allowed");
        }
        long product = 1;
        boolean empty = false;
        for (long dimension : shape) {
            if (dimension < 0 || dimension > Validation.COUNTER_MAX) {
                return new Impossible("dimension " + dimension + " is not within 0 to " + Validation.COUNTER_MAX);
            }
            empty |= dimension == 0;
            // Zeros are left out, so that the order of the dimensions does not decide whether an overflow is seen.
            if (dimension != 0 && product > Validation.COUNTER_MAX / dimension) {
                return new Impossible(shape + " has more than " + Validation.COUNTER_MAX + " elements");
            }
            product *= dimension == 0 ? 1 : dimension;
        }
        return sized(dtype, empty ? 0 : product);
    }

    private static Extent sized(Dtype dtype, long elements) {
        // At most 2^53 elements of at most 2^6 bits: no overflow.
        long bits = elements * dtype.bits();
        if (bits % 8 != 0) {
            return new Impossible(elements + " elements of " + dtype + " are " + bits + " bits, not whole bytes");
        }
        if (bits / 8 > Validation.COUNTER_MAX) {
            return new Impossible("has more than " + Validation.COUNTER_MAX + " bytes");
        }
        return new Sized(elements, bits / 8);
    }
}
