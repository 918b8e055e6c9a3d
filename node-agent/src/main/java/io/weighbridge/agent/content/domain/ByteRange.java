package io.weighbridge.agent.content.domain;

import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that a reader wants.
 *
 * @param from first byte
 * @param to after the last byte
 * @param whole true when no part was asked for
 */
public record ByteRange(long from, long to, boolean whole) {

    private static final Pattern SINGLE = Pattern.compile("bytes=(\\d{0,18})-(\\d{0,18})");

    /** How many bytes. */
    public long length() {
        return to - from;
    }

    /**
     * Reads a {@code Range} header with one range; null asks for everything.
     *
     * @throws ProblemException RANGE_NOT_SATISFIABLE when it is anything else or lies outside the object
     */
    public static ByteRange of(@Nullable String header, long size) {
        if (header == null) {
            return new ByteRange(0, size, true);
        }
        Matcher matcher = SINGLE.matcher(header.trim());
        if (!matcher.matches()) {
            throw unsatisfiable("one range such as bytes=0-99 is understood");
        }
        String first = matcher.group(1);
        String last = matcher.group(2);
        if (first.isEmpty() && last.isEmpty()) {
            throw unsatisfiable("one range such as bytes=0-99 is understood");
        }
        long from = first.isEmpty() ? Math.max(0, size - Long.parseLong(last)) : Long.parseLong(first);
        long to = first.isEmpty() || last.isEmpty() ? size : Math.min(size, Long.parseLong(last) + 1);
        if (from >= to) {
            throw unsatisfiable("the object has " + size + " bytes");
        }
        return new ByteRange(from, to, false);
    }

    private static ProblemException unsatisfiable(String detail) {
        return new ProblemException(ProblemCode.RANGE_NOT_SATISFIABLE, detail);
    }
}
