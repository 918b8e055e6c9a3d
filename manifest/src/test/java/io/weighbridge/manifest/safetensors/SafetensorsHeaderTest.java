package io.weighbridge.manifest.safetensors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weighbridge.manifest.Dtype;
import io.weighbridge.manifest.ManifestException;
import io.weighbridge.manifest.ManifestProblem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SafetensorsHeaderTest {

    private static final Path SAMPLE = Path.of("../suite/checkpoints/sample");

    @TempDir
    private Path directory;

    @Test
    void realFilesAreRead() throws IOException {
        SafetensorsHeader voices = read(SAMPLE.resolve("model-00001-of-00002.safetensors"));
        assertThat(voices.dataOffset()).isEqualTo(152);
        assertThat(voices.dataBytes()).isEqualTo(291_654);
        assertThat(voices.metadata()).isEmpty();
        assertThat(voices.tensors())
                .containsExactly(
                        new SafetensorsHeader.Entry("tokens", Dtype.I64, List.of(1L, 982L, 33L), 0, 259_248),
                        new SafetensorsHeader.Entry("mask", Dtype.U8, List.of(1L, 982L, 33L), 259_248, 291_654));

        SafetensorsHeader codes = read(SAMPLE.resolve("model-00002-of-00002.safetensors"));
        assertThat(codes.tensors())
                .containsExactly(new SafetensorsHeader.Entry("codes", Dtype.I64, List.of(1L, 2L, 828L), 0, 13_248));
    }

    @Test
    void tensorsComeInTheOrderOfTheirData() throws IOException {
        SafetensorsHeader header = header("""
                {"b":{"data_offsets":[4,6],"dtype":"F16","shape":[1]},"__metadata__":{"format":"pt","é":"\\n"},\
                "a":{"dtype":"F32","shape":[],"data_offsets":[0,4]},\
                "z":{"dtype":"F32","shape":[0,9],"data_offsets":[4,4]}}   \
                """, 6);

        assertThat(header.tensors()).extracting(SafetensorsHeader.Entry::name).containsExactly("a", "z", "b");
        assertThat(header.metadata()).isEqualTo(Map.of("format", "pt", "é", "\n"));
    }

    @Test
    void subByteElementsArePacked() throws IOException {
        assertThat(header("{\"a\":{\"dtype\":\"F4\",\"shape\":[3,2],\"data_offsets\":[0,3]}}", 3)
                        .dataBytes())
                .isEqualTo(3);
    }

    @Test
    void aHundredThousandTensorsAreRead() throws IOException {
        StringBuilder json = new StringBuilder("{");
        for (int i = 0; i < 100_000; i++) {
            json.append(i == 0 ? "" : ",").append("'layers.%d.w':{D'U8',S[1],O[%d,%d]}".formatted(i, i, i + 1));
        }
        assertThat(header(expanded(json.append('}').toString()), 100_000).tensors())
                .hasSize(100_000)
                .last()
                .extracting(SafetensorsHeader.Entry::name)
                .isEqualTo("layers.99999.w");
    }

    @Test
    void aFileWithoutTensorsIsAFile() throws IOException {
        assertThat(header("{}", 0).tensors()).isEmpty();
        assertThat(header("{\"__metadata__\":{}}", 0).dataBytes()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'a':{D'F32',S[1],O[0,4]}} | 3 | f | is truncated: its tensors need",
                "{'a':{D'F32',S[1],O[0,4]}} | 5 | f | has bytes that belong to no tensor",
                "{} | 1 | f | has bytes that belong to no tensor",
                "{'a':{D'F32',S[1],O[1,5]}} | 5 | f: a.data_offsets | leaves a hole before it",
                "{'a':{D'U8',S[2],O[0,2]},'b':{D'U8',S[2],O[1,3]}} | 3 | f: b.data_offsets | overlaps the",
                "{'a':{D'U8',S[2],O[0,2]},'b':{D'U8',S[2],O[0,2]}} | 2 | f: b.data_offsets | overlaps the",
                "{'a':{D'U8',S[2],O[0,2]},'b':{D'U8',S[2],O[3,5]}} | 5 | f: b.data_offsets | leaves a hole before it",
                "{'a':{D'F32',S[2],O[0,4]}} | 4 | f: a | data_offsets [0, 4] are 4 bytes",
                "{'a':{D'F32',S[1],O[4,0]}} | 4 | f: a | data_offsets [4, 0] are -4 bytes",
                "{'a':{D'f32',S[1],O[0,4]}} | 4 | f: a.dtype | 'f32' is not a known dtype",
                "{'a':{D'F32',S[-1],O[0,4]}} | 4 | f: a.shape[0] | must be 0 to",
                "{'a':{D'F32',S[1.0],O[0,4]}} | 4 | f: a.shape[0] | must be an integer",
                "{'a':{D'F32',S1,O[0,4]}} | 4 | f: a.shape | must be an array",
                "{'a':{D'F32',S[1],O[0]}} | 4 | f: a.data_offsets | must have two elements",
                "{'a':{D'F32',S[1],O[0,4,4]}} | 4 | f: a.data_offsets[2] | is one too many",
                "{'a':{D'F32',S[1]}} | 4 | f: a.data_offsets | is missing",
                "{'a':{D'F32',S[1],O[0,4],'x':1}} | 4 | f: a.x | is not a known field",
                "{'a':{D'F32',S[1],O[0,4]},'a':{}} | 4 | f: a | is there twice",
                "{'a':{D'U8',S[4294967296,4294967296],O[0,0]}} | 0 | f: a | shape: ",
                "{'a':{D'F4',S[1],O[0,1]}} | 1 | f: a | shape: 1 elements of F4",
                "{'':{D'U8',S[1],O[0,1]}} | 1 | f | as a tensor's name must have 1 to 1024",
                "{'__metadata__':{'a':1}} | 0 | f: __metadata__.a | must be a text",
                "{'__metadata__':{'a':'1','a':'1'}} | 0 | f: __metadata__.a | is there twice",
                "{'a':1} | 0 | f: a | must be an object",
                "[] | 0 | f | its header is not a JSON object",
                "~ {}~ | 0 | f | its header is not a JSON object",
                "{} x | 0 | f | its header is not a JSON object",
                "{} {} | 0 | f | more follows after the document",
                "{'a':} | 0 | f | is not readable JSON",
            })
    void whatLiesIsNamed(String json, int dataBytes, String name, String message) {
        assertRefused(bytes(expanded(json), dataBytes), name, message);
    }

    @Test
    void lengthsThatLieAreNamed() {
        assertRefused(new byte[0], "f", "is truncated: has 0 bytes");
        assertRefused(new byte[7], "f", "is truncated: has 7 bytes");
        assertRefused(new byte[8], "f", "its header is not a JSON object");
        assertRefused(length(3).array(), "f", "is truncated: claims a header of 3 bytes, has 0");
        assertRefused(length(100_000_000).array(), "f", "is truncated: claims a header of 100000000 bytes, has 0");
        assertRefused(length(100_000_001).array(), "f", "claims a header of 100000001 bytes");
        assertRefused(length(-1).array(), "f", "claims a header of 18446744073709551615 bytes");
        assertRefused(length(Long.MIN_VALUE).array(), "f", "claims a header of 9223372036854775808 bytes");
    }

    @Test
    void newlinesAfterTheHeaderAreNoPadding() {
        assertRefused(bytes("{}\n", 0), "f", "its header is not a JSON object");
        assertRefused(bytes("\uFEFF{}", 0), "f", "its header is not a JSON object");
    }

    @Test
    void aCutFileIsRefusedAtEveryLength() throws IOException {
        byte[] whole = bytes("{\"a\":{\"dtype\":\"I16\",\"shape\":[2],\"data_offsets\":[0,4]}}", 4);
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> read(file(cut))).isInstanceOf(ManifestException.class);
        }
        assertThat(read(file(whole)).tensors()).hasSize(1);
    }

    private void assertRefused(byte[] file, String name, String message) {
        assertThatThrownBy(() -> read(file(file))).isInstanceOfSatisfying(ManifestException.class, e -> {
            ManifestProblem problem = e.problems().getFirst();
            assertThat(problem.name()).isEqualTo(name);
            assertThat(problem.message()).startsWith(message);
        });
    }

    private SafetensorsHeader header(String json, int dataBytes) throws IOException {
        return read(file(bytes(json, dataBytes)));
    }

    /** D, S and O stand for the three fields, and apostrophes for quotes. */
    private static String expanded(String json) {
        return json.replace("D'", "'dtype':'")
                .replace("S[", "'shape':[")
                .replace("S1", "'shape':1")
                .replace("O[", "'data_offsets':[")
                .replace('\'', '"');
    }

    private static byte[] bytes(String json, int dataBytes) {
        byte[] header = json.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(8 + header.length + dataBytes)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(header.length)
                .put(header)
                .array();
    }

    private static ByteBuffer length(long length) {
        return ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(0, length);
    }

    private Path file(byte[] bytes) throws IOException {
        return Files.write(directory.resolve("f"), bytes);
    }

    private static SafetensorsHeader read(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            return SafetensorsHeader.read(file.getFileName().toString(), channel);
        }
    }
}
