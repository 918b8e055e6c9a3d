package io.weighbridge.manifest.json;

import io.weighbridge.ledger.key.Utf8;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HexFormat;

/**
 * JSON in one spelling: no spaces, names ascending by unsigned UTF-8 bytes, integers in decimal, and in texts only the
 * escapes that JSON demands (quote, backslash, below 0x20; the short form where there is one). Written here rather than
 * with a library's generator, whose escapes may change with its version. A wrong order of calls is a defect and throws
 * {@link IllegalStateException}.
 */
public final class CanonicalJsonWriter {

    private static final HexFormat HEX = HexFormat.of();

    private final StringBuilder out = new StringBuilder(1 << 12);
    private final Deque<String> lastNames = new ArrayDeque<>();
    private boolean needsComma;

    public CanonicalJsonWriter beginObject() {
        separate();
        out.append('{');
        lastNames.push("");
        needsComma = false;
        return this;
    }

    public CanonicalJsonWriter endObject() {
        lastNames.pop();
        out.append('}');
        needsComma = true;
        return this;
    }

    public CanonicalJsonWriter beginArray() {
        separate();
        out.append('[');
        needsComma = false;
        return this;
    }

    public CanonicalJsonWriter endArray() {
        out.append(']');
        needsComma = true;
        return this;
    }

    /** The name of the value that follows; at least one character, greater than the one before it in this object. */
    public CanonicalJsonWriter name(String name) {
        String last = lastNames.pop();
        if (Utf8.ORDER.compare(last, name) >= 0) {
            throw new IllegalStateException("name '" + name + "' after '" + last + "'");
        }
        lastNames.push(name);
        separate();
        quote(name);
        out.append(':');
        needsComma = false;
        return this;
    }

    public CanonicalJsonWriter value(String text) {
        separate();
        quote(text);
        needsComma = true;
        return this;
    }

    public CanonicalJsonWriter value(long number) {
        separate();
        out.append(number);
        needsComma = true;
        return this;
    }

    /** All of it as UTF-8. */
    public byte[] bytes() {
        try {
            ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(out));
            byte[] bytes = new byte[encoded.remaining()];
            encoded.get(bytes);
            return bytes;
        } catch (CharacterCodingException e) {
            throw new IllegalStateException("a text is not well-formed Unicode", e);
        }
    }

    private void separate() {
        if (needsComma) {
            out.append(',');
        }
    }

    private void quote(String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\b' -> out.append("\\b");
                case '\f' -> out.append("\\f");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (c < 0x20) {
                        out.append("\\u").append(HEX.toHexDigits(c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }
}
