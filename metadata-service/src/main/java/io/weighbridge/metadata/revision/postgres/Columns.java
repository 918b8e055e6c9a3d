package io.weighbridge.metadata.revision.postgres;

import io.r2dbc.spi.Readable;
import io.weighbridge.wire.WireJson;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Reads columns of a row by name; what the schema declares NOT NULL is not null here either. */
final class Columns {

    private static final JsonMapper JSON = WireJson.newMapper();
    private static final TypeReference<Map<String, String>> TEXTS = new TypeReference<>() {};

    private Columns() {}

    static String text(Readable row, String column) {
        return Objects.requireNonNull(row.get(column, String.class), column);
    }

    static @Nullable String textOrNull(Readable row, String column) {
        return row.get(column, String.class);
    }

    static long number(Readable row, String column) {
        return Objects.requireNonNull(row.get(column, Long.class), column);
    }

    static @Nullable Long numberOrNull(Readable row, String column) {
        return row.get(column, Long.class);
    }

    static int integer(Readable row, String column) {
        return Objects.requireNonNull(row.get(column, Integer.class), column);
    }

    static boolean truth(Readable row, String column) {
        return Boolean.TRUE.equals(row.get(column, Boolean.class));
    }

    static Instant time(Readable row, String column) {
        return Objects.requireNonNull(row.get(column, Instant.class), column);
    }

    static @Nullable Instant timeOrNull(Readable row, String column) {
        return row.get(column, Instant.class);
    }

    static UUID id(Readable row, String column) {
        return Objects.requireNonNull(row.get(column, UUID.class), column);
    }

    static @Nullable UUID idOrNull(Readable row, String column) {
        return row.get(column, UUID.class);
    }

    static <E extends Enum<E>> E word(Readable row, String column, Class<E> type) {
        return Enum.valueOf(type, text(row, column));
    }

    static <E extends Enum<E>> @Nullable E wordOrNull(Readable row, String column, Class<E> type) {
        String word = textOrNull(row, column);
        return word == null ? null : Enum.valueOf(type, word);
    }

    /** A JSON object of texts, selected with {@code ::text}. */
    static Map<String, String> texts(Readable row, String column) {
        return JSON.readValue(text(row, column), TEXTS);
    }

    static @Nullable Map<String, String> textsOrNull(Readable row, String column) {
        String json = textOrNull(row, column);
        return json == null ? null : JSON.readValue(json, TEXTS);
    }

    static @Nullable String json(@Nullable Object value) {
        return value == null ? null : JSON.writeValueAsString(value);
    }
}
