package io.weighbridge.manifest;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** JSON as maps, lists and scalars that a test may damage before it prints them again. */
final class JsonTree {

    /** Printed as it is. */
    record Raw(String json) {}

    private JsonTree() {}

    static Object parse(String json) {
        try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), json)) {
            parser.nextToken();
            return value(parser);
        }
    }

    private static Object value(JsonParser parser) {
        return switch (parser.currentToken()) {
            case START_OBJECT -> {
                Map<String, Object> object = new LinkedHashMap<>();
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String name = parser.currentName();
                    parser.nextToken();
                    object.put(name, value(parser));
                }
                yield object;
            }
            case START_ARRAY -> {
                List<Object> array = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    array.add(value(parser));
                }
                yield array;
            }
            case VALUE_STRING -> parser.getString();
            case VALUE_NUMBER_INT -> parser.getLongValue();
            default -> throw new IllegalStateException(parser.currentToken().name());
        };
    }

    static String print(Object value) {
        return switch (value) {
            case Map<?, ?> object ->
                object.entrySet().stream()
                        .map(entry -> quote(entry.getKey().toString()) + ":" + print(entry.getValue()))
                        .collect(Collectors.joining(",", "{", "}"));
            case List<?> array -> array.stream().map(JsonTree::print).collect(Collectors.joining(",", "[", "]"));
            case String text -> quote(text);
            case Raw(String json) -> json;
            default -> value.toString();
        };
    }

    private static String quote(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
    }
}
