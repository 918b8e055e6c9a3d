package io.weighbridge.ledger.key;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;

/** Text as its UTF-8 bytes. */
public final class Utf8 {

    /**
     * By unsigned UTF-8 bytes, like PostgreSQL's {@code COLLATE "C"}. {@link String#compareTo} orders by UTF-16 and
     * differs from it above the basic plane. Texts are not encoded for it: the order of the bytes is that of the code
     * points.
     */
    public static final Comparator<String> ORDER = Utf8::compare;

    private Utf8() {}

    public static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static int compare(String a, String b) {
        int length = Math.min(a.length(), b.length());
        for (int i = 0; i < length; i++) {
            if (a.charAt(i) != b.charAt(i)) {
                return Integer.compare(rank(a.charAt(i)), rank(b.charAt(i)));
            }
        }
        return Integer.compare(a.length(), b.length());
    }

    /** Surrogates begin the code points above the basic plane, so they come after all that is in it. */
    private static int rank(char unit) {
        return Character.isSurrogate(unit) ? unit + 0x10000 : unit;
    }
}
