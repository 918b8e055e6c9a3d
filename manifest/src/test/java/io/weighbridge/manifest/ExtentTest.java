package io.weighbridge.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExtentTest {

    private static final long MAX = (1L << 53) - 1;

    /** Element sizes in bits as the format's reference implementation lists them. */
    private static final Map<String, Integer> BITS = Map.ofEntries(
            Map.entry("BOOL", 8),
            Map.entry("F4", 4),
            Map.entry("F6_E2M3", 6),
            Map.entry("F6_E3M2", 6),
            Map.entry("U8", 8),
            Map.entry("I8", 8),
            Map.entry("F8_E5M2", 8),
            Map.entry("F8_E4M3", 8),
            Map.entry("F8_E8M0", 8),
            Map.entry("F8_E4M3FNUZ", 8),
            Map.entry("F8_E5M2FNUZ", 8),
            Map.entry("I16", 16),
            Map.entry("U16", 16),
            Map.entry("F16", 16),
            Map.entry("BF16", 16),
            Map.entry("I32", 32),
            Map.entry("U32", 32),
            Map.entry("F32", 32),
            Map.entry("C64", 64),
            Map.entry("F64", 64),
            Map.entry("I64", 64),
            Map.entry("U64", 64));

    @Test
    void dtypesAreThoseOfTheFormat() {
        assertThat(Dtype.values()).hasSize(BITS.size());
        BITS.forEach((name, bits) ->
                assertThat(Dtype.named(name).orElseThrow().bits()).as(name).isEqualTo(bits));
        assertThat(Dtype.named("bf16")).isEmpty();
        assertThat(Dtype.named("")).isEmpty();
        assertThat(Dtype.named("F32 ")).isEmpty();
    }

    @Test
    void bytesFollowFromDtypeAndShape() {
        assertThat(Extent.of(Dtype.F32, List.of())).isEqualTo(new Extent.Sized(1, 4));
        assertThat(Extent.of(Dtype.BF16, List.of(3L, 5L))).isEqualTo(new Extent.Sized(15, 30));
        assertThat(Extent.of(Dtype.I64, List.of(7L, 0L, 2L))).isEqualTo(new Extent.Sized(0, 0));
        assertThat(Extent.of(Dtype.F4, List.of(3L, 2L))).isEqualTo(new Extent.Sized(6, 3));
        assertThat(Extent.of(Dtype.F6_E2M3, List.of(4L))).isEqualTo(new Extent.Sized(4, 3));
    }

    @Test
    void elementsThatAreNotWholeBytesAreImpossible() {
        assertThat(Extent.of(Dtype.F4, List.of(3L)))
                .isEqualTo(new Extent.Impossible("3 elements of F4 are 12 bits, not whole bytes"));
        assertThat(Extent.of(Dtype.F6_E3M2, List.of(2L))).isInstanceOf(Extent.Impossible.class);
        assertThat(Extent.of(Dtype.F4, List.of())).isInstanceOf(Extent.Impossible.class);
    }

    @Test
    void everyOverflowIsSeen() {
        assertThat(Extent.of(Dtype.U8, List.of(MAX))).isEqualTo(new Extent.Sized(MAX, MAX));
        assertThat(Extent.of(Dtype.U8, List.of(1L << 27, 1L << 26))).isInstanceOf(Extent.Impossible.class);
        assertThat(Extent.of(Dtype.U8, List.of(1L << 32, 1L << 32))).isInstanceOf(Extent.Impossible.class);
        assertThat(Extent.of(Dtype.U8, List.of(MAX, MAX, MAX, MAX))).isInstanceOf(Extent.Impossible.class);
        assertThat(Extent.of(Dtype.I16, List.of(MAX))).isInstanceOf(Extent.Impossible.class);
        assertThat(Extent.of(Dtype.U8, List.of(0L, MAX, MAX)))
                .as("the order of the dimensions decides nothing")
                .isInstanceOf(Extent.Impossible.class);
        assertThat(Extent.of(Dtype.U8, List.of(MAX, MAX, 0L))).isInstanceOf(Extent.Impossible.class);
    }

    @Test
    void dimensionsHaveBounds() {
        assertThat(Extent.of(Dtype.U8, List.of(-1L))).isInstanceOf(Extent.Impossible.class);
        assertThat(Extent.of(Dtype.U8, List.of(-1L, -1L))).isInstanceOf(Extent.Impossible.class);
        assertThat(Extent.of(Dtype.U8, List.of(MAX + 1))).isInstanceOf(Extent.Impossible.class);
        assertThat(Extent.of(Dtype.U8, Collections.nCopies(64, 1L))).isEqualTo(new Extent.Sized(1, 1));
        assertThat(Extent.of(Dtype.U8, Collections.nCopies(65, 1L))).isInstanceOf(Extent.Impossible.class);
    }
}
