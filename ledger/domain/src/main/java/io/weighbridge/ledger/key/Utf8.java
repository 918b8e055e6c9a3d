package io.weighbridge.ledger.key;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;

/** Text as its UTF-8 bytes. */
public final class Utf8 {

    /**
     * By unsigned UTF-8 bytes, like PostgreSQL's {@code COLLATE "C"}. {@link String#compareTo} orders by UTF-16 and
     * differs from it above the basic plane.
     */
    public static final Comparator<String> ORDER = (a, b) -> Arrays.compareUnsigned(bytes(a), bytes(b));

    private Utf8() {}

    public static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
