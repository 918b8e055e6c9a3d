package io.weighbridge.manifest.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weighbridge.manifest.ManifestException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CanonicalJsonTest {

    @Test
    void onlyTheEscapesThatJsonDemandsAreWritten() {
        byte[] json = new CanonicalJsonWriter()
                .beginArray()
                .value("\"\\/\b\f\n\r\t\u0000\u001f\u007f\u2028é产\uD83D\uDE00")
                .value("")
                .endArray()
                .bytes();

        assertThat(new String(json, StandardCharsets.UTF_8))
                .isEqualTo("[\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\u007f\u2028é产\uD83D\uDE00\",\"\"]");
    }

    @Test
    void structureHasNoSpaces() {
        byte[] json = new CanonicalJsonWriter()
                .beginObject()
                .name("a")
                .beginArray()
                .value(1)
                .value(2)
                .beginObject()
                .endObject()
                .endArray()
                .name("b")
                .beginObject()
                .name("a")
                .value("x")
                .endObject()
                .name("c")
                .value(9007199254740991L)
                .endObject()
                .bytes();

        assertThat(json).asString().isEqualTo("{\"a\":[1,2,{}],\"b\":{\"a\":\"x\"},\"c\":9007199254740991}");
    }

    @Test
    void namesMustAscendByBytes() {
        new CanonicalJsonWriter().beginObject().name("\uFF5E").value(1).name("\uD83D\uDE00");
        assertThatThrownBy(() -> new CanonicalJsonWriter()
                        .beginObject()
                        .name("b")
                        .value(1)
                        .name("a"))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> new CanonicalJsonWriter()
                        .beginObject()
                        .name("a")
                        .value(1)
                        .name("a"))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> new CanonicalJsonWriter().value("\uD800").bytes())
                .isInstanceOf(IllegalStateException.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 9007199254740991L})
    void integersInBoundsAreRead(long value) {
        assertThat(read(Long.toString(value))).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-1",
                "-0",
                "9007199254740992",
                "9223372036854775808",
                "99999999999999999999",
                "1.0",
                "1e3",
                "0.5",
                "01",
                "+1",
                "\"1\"",
                "null",
                "true",
                "NaN",
                "1111111111111111111111111111111111111111111111111111111111",
                "[]"
            })
    void otherNumbersAreRefusedByPath(String value) {
        assertThatThrownBy(() -> read(value)).isInstanceOfSatisfying(ManifestException.class, e -> {
            assertThat(e.problems()).hasSize(1);
            assertThat(e.problems().getFirst().name()).startsWith("file: a[1]");
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"a\":\"x\",\"a\":\"x\"} | file: a | is there twice",
                "{} | file: a | is missing",
                "[] | file | must be an object",
                "{\"a\":\"\\ud800\"} | file: a | is not well-formed Unicode",
                "{\"a\":\"\\udc00\\ud800\"} | file: a | is not well-formed Unicode",
                "{\"a\":\"\\ud83dx\"} | file: a | is not well-formed Unicode",
                "{\"a\":\"x\"}} | file | is not readable JSON",
                "{\"a\":\"x\"} 1 | file | more follows after the document",
                "{\"a\":\"x\" | file | is not readable JSON",
                "{\"a\":\"12345678901234567\"} | file: a | is not readable JSON",
                "{'a':1} | file | is not readable JSON",
                "{\"a\":\"x\",} | file | is not readable JSON",
                "{/**/\"a\":\"x\"} | file | is not readable JSON"
            })
    void whatIsWrongIsNamed(String json, String name, String message) {
        assertThatThrownBy(() -> readText(json.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOfSatisfying(ManifestException.class, e -> {
                    assertThat(e.problems().getFirst().name()).isEqualTo(name);
                    assertThat(e.problems().getFirst().message()).startsWith(message);
                });
    }

    @Test
    void malformedBytesAreRefused() {
        byte[] overlong = "{\"a\":\"??\"}".getBytes(StandardCharsets.UTF_8);
        overlong[6] = (byte) 0xC0;
        overlong[7] = (byte) 0xAF;
        byte[] utf16 = "{\"a\":\"x\"}".getBytes(StandardCharsets.UTF_16LE);
        for (byte[] bytes : List.of(overlong, utf16, new byte[0], new byte[] {(byte) 0xFF})) {
            assertThatThrownBy(() -> readText(bytes)).isInstanceOf(ManifestException.class);
        }
    }

    @Test
    void tooDeepADocumentIsRefused() {
        byte[] deep = ("{\"a\":" + "[".repeat(100_000)).getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> {
                    try (StrictJsonReader json = StrictJsonReader.over("file", deep, 16)) {
                        json.object(List.of(), name -> json.skip());
                    }
                })
                .isInstanceOf(ManifestException.class);
    }

    private static long read(String number) {
        List<Long> numbers = new ArrayList<>();
        byte[] bytes = ("{\"a\":[0," + number + "]}").getBytes(StandardCharsets.UTF_8);
        try (StrictJsonReader json = StrictJsonReader.over("file", bytes, 16)) {
            json.object(List.of("a"), name -> numbers.addAll(json.array(2, json::integer)));
            json.end();
        }
        return numbers.get(1);
    }

    private static void readText(byte[] bytes) {
        try (StrictJsonReader json = StrictJsonReader.over("file", bytes, 16)) {
            json.object(List.of("a"), name -> {
                if (name.equals("a") && json.text().isEmpty()) {
                    throw json.refuse("is empty");
                }
            });
            json.end();
        }
    }
}
