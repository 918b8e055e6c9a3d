package io.weighbridge.ledger.key;

import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.ledger.identity.RevisionIdentity;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The golden vectors of spec 1.3, and what the encoding must and must not do. */
class CanonicalKeysTest {

    @ParameterizedTest
    @CsvSource({
        "default, production, llama-70b, step-100, 7, 5dbbea14aa75c98a5b3fbb576a9c612d64fc6bc8f490f24a7ff017fcfe321b7d",
        "tenant-a, 生产, llama/70b, step:100, 1, 12f1aff5d1ccd7ddc8ffb5ac0365e3518bcad211d0a7e886b7c8559ba456538f"
    })
    void groupIdsAreTheGoldenOnes(
            String tenant, String namespace, String resource, String revision, long generation, String hex) {
        RevisionIdentity identity = new RevisionIdentity(tenant, namespace, resource, revision, generation);

        assertThat(identity.payloadGroupId()).isEqualTo("weight:" + hex);
        assertThat(identity.id().hex()).isEqualTo(hex);
        assertThat(identity.id().payloadGroupId()).isEqualTo("weight:" + hex);
    }

    @ParameterizedTest
    @CsvSource({
        "production + staging, llama/70b, step:100, 7,"
                + " weights/production%20%2B%20staging/llama%2F70b/step%3A100/7/manifest",
        "生产, a~b.c_d-e, v%2F1, 1, weights/%E7%94%9F%E4%BA%A7/a~b.c_d-e/v%252F1/1/manifest"
    })
    void manifestKeysAreTheGoldenOnes(String namespace, String resource, String revision, long generation, String key) {
        assertThat(new RevisionIdentity("default", namespace, resource, revision, generation).manifestKey())
                .isEqualTo(key);
        assertThat(new RevisionIdentity("other", namespace, resource, revision, generation).manifestKey())
                .as("the tenant is not in the key")
                .isEqualTo(key);
    }

    @Test
    void keyDigestsAreTheGoldenOnes() {
        assertThat(CanonicalKeys.payloadKeysSha256(List.of("payload-b", "payload-a")))
                .isEqualTo("0a7cc6d30456fcec0991fcf65f9290b6457950344d983ff5ba81cfaf2d327412");
        assertThat(CanonicalKeys.payloadKeysSha256(List.of("a", "ab", "é")))
                .isEqualTo("632e9a448546202196717394a6f591b324a637064c0eb70201ece8a1bfb13c63");
    }

    @Test
    void keyDigestsDoNotDependOnTheOrderButOnTheCount() {
        assertThat(CanonicalKeys.payloadKeysSha256(List.of("é", "a", "ab")))
                .isEqualTo(CanonicalKeys.payloadKeysSha256(List.of("a", "ab", "é")));
        assertThat(CanonicalKeys.payloadKeysSha256(List.of("a", "a")))
                .as("duplicates are not removed")
                .isNotEqualTo(CanonicalKeys.payloadKeysSha256(List.of("a")));
    }

    @Test
    void keysAboveTheBasicPlaneComeAfterThoseInIt() {
        // U+1F600 starts with D83D in UTF-16, before U+FF5E; in UTF-8 with F0, after EF.
        byte[] expected = "3:\uFF5E\n4:\uD83D\uDE00\n".getBytes(StandardCharsets.UTF_8);

        assertThat(CanonicalKeys.payloadKeysSha256(List.of("\uD83D\uDE00", "\uFF5E")))
                .isEqualTo(Sha256.hex(expected));
    }

    @Test
    void everyAsciiCharacterIsEncodedAsRfc3986Says() {
        String unreserved = "-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~";
        IntStream.range(0, 128).forEach(c -> {
            String text = Character.toString(c);
            String expected = unreserved.contains(text) ? text : "%%%02X".formatted(c);
            assertThat(CanonicalKeys.encode(text)).isEqualTo(expected);
        });
    }

    @Test
    void aboveAsciiEveryByteIsEncoded() {
        assertThat(CanonicalKeys.encode("é€\uD83D\uDE00")).isEqualTo("%C3%A9%E2%82%AC%F0%9F%98%80");
    }

    @Test
    void lengthsCountBytesNotCharacters() {
        assertThat(CanonicalKeys.lengthPrefixed(List.of("", "é", "a\n1:b")))
                .isEqualTo("0:\n2:é\n5:a\n1:b\n".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aLegalIdentityCanHaveAKeyThatIsTooLong() {
        String cjk = "产".repeat(341);
        RevisionIdentity identity = new RevisionIdentity("default", cjk, "m", "r", 1);

        assertThat(Utf8.bytes(cjk)).hasSize(1023);
        assertThat(Utf8.bytes(identity.manifestKey()))
                .as("percent-encoding triples each byte")
                .hasSize("weights//m/r/1/manifest".length() + 3 * 1023)
                .hasSizeGreaterThan(1024);
    }

    @Test
    void keysDoNotDependOnTheLocale() {
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
            assertThat(new RevisionIdentity("t", "n", "m", "r", 1234567).manifestKey())
                    .isEqualTo("weights/n/m/r/1234567/manifest");
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void objectIdsSeparateTenantAndKey() {
        assertThat(CanonicalKeys.objectId("ab", "c")).isNotEqualTo(CanonicalKeys.objectId("a", "bc"));
        assertThat(CanonicalKeys.objectId("ab", "c"))
                .isEqualTo(Sha256.hex("2:ab\n1:c\n".getBytes(StandardCharsets.UTF_8)));
    }
}
