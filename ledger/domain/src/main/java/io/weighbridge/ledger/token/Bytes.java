package io.weighbridge.ledger.token;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/** The byte layout of tokens. Reads past the end throw unchecked exceptions, which the verifiers turn into refusals. */
final class Bytes {

    private Bytes() {}

    static byte[] ofHex(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    static byte[] concat(byte[] first, byte[] second) {
        return ByteBuffer.allocate(first.length + second.length)
                .put(first)
                .put(second)
                .array();
    }

    static byte[] first(byte[] bytes, int count) {
        return Arrays.copyOfRange(bytes, 0, count);
    }

    static byte[] last(byte[] bytes, int count) {
        return Arrays.copyOfRange(bytes, bytes.length - count, bytes.length);
    }

    static byte[] slice(ByteBuffer in, int from, int count) {
        return Arrays.copyOfRange(in.array(), from, from + count);
    }

    static String hex(ByteBuffer in, int count) {
        byte[] bytes = new byte[count];
        in.get(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    static String text(ByteBuffer in, int count) {
        byte[] bytes = new byte[count];
        in.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    static String rest(ByteBuffer in) {
        return text(in, in.remaining());
    }
}
