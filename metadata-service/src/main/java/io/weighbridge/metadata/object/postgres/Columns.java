package io.weighbridge.metadata.object.postgres;

import io.r2dbc.spi.Readable;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Columns as Java values, and Java values as array parameters. */
public final class Columns {

    private Columns() {}

    /** A column that is never null. */
    public static <T> T get(Readable row, String column, Class<T> type) {
        return Objects.requireNonNull(row.get(column, type), column);
    }

    static boolean flag(Readable row, String column) {
        return get(row, column, Boolean.class);
    }

    public static long number(Readable row, String column) {
        return get(row, column, Long.class);
    }

    static @Nullable List<Long> numbers(Readable row, String column) {
        Long[] values = row.get(column, Long[].class);
        return values == null ? null : Arrays.asList(values);
    }

    public static <E extends Enum<E>> E word(Readable row, String column, Class<E> type) {
        return Enum.valueOf(type, get(row, column, String.class));
    }

    public static String[] texts(Collection<String> values) {
        return values.toArray(String[]::new);
    }

    /** An array within an array parameter, as PostgreSQL writes it. */
    static @Nullable String arrayText(@Nullable List<Long> values) {
        if (values == null) {
            return null;
        }
        StringBuilder text = new StringBuilder("{");
        for (Long value : values) {
            text.append(text.length() == 1 ? "" : ",").append(value);
        }
        return text.append('}').toString();
    }
}
