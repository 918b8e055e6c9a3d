package io.weighbridge.ledger.identity;

import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The one place that says which texts and counters are legal (spec 1.2). Every entry point uses it. */
public final class Validation {

    /** The largest counter, 2^53 - 1: every JSON reader represents it exactly. */
    public static final long COUNTER_MAX = (1L << 53) - 1;

    /** The longest text component and object key, in UTF-8 bytes. */
    public static final int TEXT_BYTES_MAX = 1024;

    private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");

    private Validation() {}

    /**
     * A text component: 1 to 1024 UTF-8 bytes, no byte below 0x20, no 0x7F.
     *
     * @throws ProblemException INVALID_ARGUMENT that names the field
     */
    public static String text(String field, @Nullable String value) {
        if (value == null) {
            throw invalid(field, "is missing");
        }
        int bytes = utf8(field, value).remaining();
        if (bytes < 1 || bytes > TEXT_BYTES_MAX) {
            throw invalid(field, "must have 1 to " + TEXT_BYTES_MAX + " UTF-8 bytes, has " + bytes);
        }
        if (value.chars().anyMatch(c -> c < 0x20 || c == 0x7F)) {
            throw invalid(field, "must not contain control characters");
        }
        return value;
    }

    /** A tenant: a text component that does not start with an underscore. */
    public static String tenant(String field, @Nullable String value) {
        String tenant = text(field, value);
        if (tenant.startsWith("_")) {
            throw invalid(field, "must not start with '_'");
        }
        return tenant;
    }

    /** An object key: 1 to 1024 bytes of any UTF-8 but NUL, which PostgreSQL's text cannot hold. */
    public static String objectKey(String field, @Nullable String value) {
        if (value == null) {
            throw invalid(field, "is missing");
        }
        int bytes = utf8(field, value).remaining();
        if (bytes < 1 || bytes > TEXT_BYTES_MAX) {
            throw invalid(field, "must have 1 to " + TEXT_BYTES_MAX + " UTF-8 bytes, has " + bytes);
        }
        if (value.indexOf('\0') >= 0) {
            throw invalid(field, "must not contain NUL");
        }
        return value;
    }

    /** A counter: 1 to 2^53 - 1. */
    public static long counter(String field, long value) {
        if (value < 1 || value > COUNTER_MAX) {
            throw invalid(field, "must be 1 to " + COUNTER_MAX + ", is " + value);
        }
        return value;
    }

    /** A size in bytes: 0 to 2^53 - 1. */
    public static long size(String field, long value) {
        if (value < 0 || value > COUNTER_MAX) {
            throw invalid(field, "must be 0 to " + COUNTER_MAX + ", is " + value);
        }
        return value;
    }

    /** Exactly 64 lower-case hexadecimal digits. */
    public static String sha256(String field, @Nullable String value) {
        if (value == null || !SHA256.matcher(value).matches()) {
            throw invalid(field, "must be 64 lower-case hexadecimal digits");
        }
        return value;
    }

    private static ByteBuffer utf8(String field, String value) {
        try {
            return StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(value));
        } catch (CharacterCodingException e) {
            throw invalid(field, "is not well-formed Unicode");
        }
    }

    private static ProblemException invalid(String field, String message) {
        return new ProblemException(Problem.invalid(field, message));
    }
}
