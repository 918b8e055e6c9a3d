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

    /** A constant as its first letter: unlike its ordinal, that stays when constants are added between. */
    static byte initial(Enum<?> constant) {
        return (byte) constant.name().charAt(0);
    }

    /** @throws IllegalArgumentException when no constant has this initial */
    static <E extends Enum<E>> E ofInitial(E[] constants, byte initial) {
        for (E constant : constants) {
            if (initial(constant) == initial) {
                return constant;
            }
        }
        throw new IllegalArgumentException("no constant begins with " + (char) initial);
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
