package io.weighbridge.ledger.key;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

class Utf8Test {

    private static final List<String> ASCENDING = List.of(
            "",
            "A",
            "a",
            "a\u0000",
            "ab",
            "b",
            "\u007f",
            "\u0080",
            "é",
            "产",
            "\uD7FF",
            "\uE000",
            "\uFF5E",
            "\uFFFF",
            "\uD800\uDC00",
            "\uD83D\uDE00",
            "\uDBFF\uDFFF");

    @Test
    void orderIsThatOfUnsignedBytes() {
        for (String a : ASCENDING) {
            for (String b : ASCENDING) {
                assertThat(Integer.signum(Utf8.ORDER.compare(a, b)))
                        .as("%s and %s", a, b)
                        .isEqualTo(Integer.compare(ASCENDING.indexOf(a), ASCENDING.indexOf(b)));
            }
        }
    }

    @Test
    void utf16OrdersDifferentlyAboveTheBasicPlane() {
        assertThat("\uD83D\uDE00".compareTo("\uFF5E")).isNegative();
        assertThat(Utf8.ORDER.compare("\uD83D\uDE00", "\uFF5E")).isPositive();
    }

    @Test
    void orderAgreesWithTheBytesOfRandomTexts() {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(1);
        for (int i = 0; i < 20_000; i++) {
            String a = text(random);
            String b = text(random);
            assertThat(Integer.signum(Utf8.ORDER.compare(a, b)))
                    .as("%s and %s", a, b)
                    .isEqualTo(Integer.signum(Arrays.compareUnsigned(Utf8.bytes(a), Utf8.bytes(b))));
        }
    }

    private static String text(RandomGenerator random) {
        int[] from = {'a', 'b', 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x1F600, 0x10FFFF};
        int length = random.nextInt(4);
        return random.ints(length, 0, from.length)
                .map(i -> from[i])
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
