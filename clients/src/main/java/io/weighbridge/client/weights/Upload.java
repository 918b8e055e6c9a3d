package io.weighbridge.client.weights;

import io.weighbridge.ledger.vocabulary.ObjectType;
import java.io.InputStream;
import java.util.function.LongFunction;

/**
 * One member to be put.
 *
 * @param size bytes, 0 or more
 * @param digest what the stored bytes must have
 * @param bytes opens the bytes from an offset to the end, as often as asked
 */
record Upload(String key, ObjectType type, long size, String digest, LongFunction<InputStream> bytes) {

    /** What counts as progress: payload, not the manifest. */
    long payloadBytes() {
        return type == ObjectType.WEIGHT ? size : 0;
    }
}
