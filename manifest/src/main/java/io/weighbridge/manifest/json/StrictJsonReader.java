package io.weighbridge.manifest.json;

import io.weighbridge.ledger.identity.Validation;
import io.weighbridge.manifest.ManifestException;
import java.io.ByteArrayInputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads one JSON document of strict UTF-8 and knows at every moment where it is. A duplicate name, a missing name, a
 * value of another type, a number that is not an integer of 0 to 2^53 - 1, a lone surrogate, too deep or too long a
 * document: each is a {@link ManifestException} that begins with the path. Methods read the value at hand; fields and
 * elements are handed out one by one.
 */
public final class StrictJsonReader implements AutoCloseable {

    /** No deeper nesting is read; what we read needs four levels. */
    private static final int DEPTH_MAX = 16;

    private final String source;
    private final JsonParser parser;
    private final Deque<Object> path = new ArrayDeque<>();

    private StrictJsonReader(String source, JsonParser parser) {
        this.source = source;
        this.parser = parser;
    }

    /**
     * Stands before the document.
     *
     * @param source begins the name of every problem, unless it is empty
     * @param textMax the longest text or name in UTF-16 units
     */
    public static StrictJsonReader over(String source, byte[] json, int textMax) {
        StreamReadConstraints limits = StreamReadConstraints.builder()
                .maxNestingDepth(DEPTH_MAX)
                .maxStringLength(textMax)
                .maxNameLength(textMax)
                .maxNumberLength(32)
                .build();
        JsonFactory factory =
                JsonFactory.builder().streamReadConstraints(limits).build();
        // A decoder of our own: it refuses malformed bytes, and the parser cannot guess another encoding.
        Reader utf8 = new InputStreamReader(new ByteArrayInputStream(json), StandardCharsets.UTF_8.newDecoder());
        StrictJsonReader reader = new StrictJsonReader(source, factory.createParser(ObjectReadContext.empty(), utf8));
        reader.next();
        return reader;
    }

    /** An object: calls back for each field, standing at its value; then all required names must have been there. */
    public void object(Collection<String> required, Consumer<String> onField) {
        expect(JsonToken.START_OBJECT, "an object");
        Set<String> seen = new HashSet<>();
        while (next() != JsonToken.END_OBJECT) {
            String name = parse(parser::currentName);
            path.addLast(wellFormed(name));
            if (!seen.add(name)) {
                throw refuse("is there twice");
            }
            next();
            onField.accept(name);
            path.removeLast();
        }
        for (String name : required) {
            if (!seen.contains(name)) {
                path.addLast(name);
                throw refuse("is missing");
            }
        }
    }

    /** An array: calls back for each element, standing at it. */
    public <T> List<T> array(int elementsMax, Supplier<T> element) {
        expect(JsonToken.START_ARRAY, "an array");
        List<T> elements = new ArrayList<>();
        while (true) {
            path.addLast(elements.size());
            if (next() == JsonToken.END_ARRAY) {
                path.removeLast();
                return elements;
            }
            if (elements.size() == elementsMax) {
                throw refuse("is one too many, at most " + elementsMax + " are allowed");
            }
            elements.add(element.get());
            path.removeLast();
        }
    }

    /** A text of well-formed Unicode. */
    public String text() {
        expect(JsonToken.VALUE_STRING, "a text");
        return wellFormed(parse(parser::getString));
    }

    /** An integer of 0 to 2^53 - 1, written without sign, fraction or exponent. */
    public long integer() {
        expect(JsonToken.VALUE_NUMBER_INT, "an integer");
        String digits = parse(parser::getString);
        // 2^53 - 1 has 16 digits, so that more of them need not be parsed.
        long value = digits.startsWith("-") || digits.length() > 16 ? -1 : Long.parseLong(digits);
        if (value < 0 || value > Validation.COUNTER_MAX) {
            throw refuse("must be 0 to " + Validation.COUNTER_MAX + ", is " + digits);
        }
        return value;
    }

    /** Passes over the value at hand, whatever it is. */
    public void skip() {
        parse(parser::skipChildren);
    }

    /** Nothing but white space may follow. */
    public void end() {
        if (parse(parser::nextToken) != null) {
            throw refuse("more follows after the document");
        }
    }

    /** The refusal of the value at hand. */
    public ManifestException refuse(String message) {
        return new ManifestException(where(), message);
    }

    /** The refusal of a field that is not known here. */
    public ManifestException unknownField() {
        return refuse("is not a known field");
    }

    @Override
    public void close() {
        parser.close();
    }

    private void expect(JsonToken token, String description) {
        if (parser.currentToken() != token) {
            throw refuse("must be " + description);
        }
    }

    private JsonToken next() {
        JsonToken token = parse(parser::nextToken);
        if (token == null) {
            throw refuse("the document ends too early");
        }
        return token;
    }

    private <T> T parse(Supplier<T> step) {
        try {
            return step.get();
        } catch (JacksonException e) {
            throw refuse("is not readable JSON: " + e.getOriginalMessage());
        }
    }

    private String wellFormed(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                if (!Character.isSurrogatePair(text.charAt(i), i + 1 < text.length() ? text.charAt(i + 1) : ' ')) {
                    throw refuse("is not well-formed Unicode");
                }
                i++;
            }
        }
        return text;
    }

    private String where() {
        StringBuilder where = new StringBuilder();
        Iterator<Object> steps = path.iterator();
        while (steps.hasNext()) {
            Object step = steps.next();
            if (step instanceof Integer index) {
                where.append('[').append(index).append(']');
            } else {
                where.append(where.isEmpty() ? "" : ".").append(step);
            }
        }
        if (source.isEmpty() || where.isEmpty()) {
            return source + where;
        }
        return source + ": " + where;
    }
}
