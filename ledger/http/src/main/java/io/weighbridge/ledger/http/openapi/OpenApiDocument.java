package io.weighbridge.ledger.http.openapi;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.weighbridge.ledger.http.HttpEdge;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.springframework.context.ApplicationContext;

/**
 * The one form of a service's document: without servers, its maps sorted, properties in the order of the record. So it
 * can be committed and compared as text (spec 5.4).
 */
public final class OpenApiDocument {

    /** Where a service has it. */
    public static final String YAML_PATH = "/openapi.yaml";

    /** The same as JSON. */
    public static final String JSON_PATH = "/openapi.json";

    private static final Set<String> SORTED = Set.of("paths", "schemas", "responses", "headers");
    private static final List<String> HEAD = List.of("openapi", "info", "security", "tags", "paths", "components");
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    private static final YAMLMapper YAML = YAMLMapper.builder()
            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
            .disable(YAMLGenerator.Feature.SPLIT_LINES)
            .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
            .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
            .build();

    private final JsonNode root;

    private OpenApiDocument(JsonNode root) {
        this.root = root;
    }

    /**
     * Normalises a document in JSON.
     *
     * @throws IllegalStateException when it is none
     */
    public static OpenApiDocument parse(byte[] json) {
        try {
            return new OpenApiDocument(normalised((ObjectNode) JSON.readTree(json)));
        } catch (IOException e) {
            throw new IllegalStateException("the generated document is no JSON", e);
        }
    }

    /**
     * The YAML of a service that listens on this port of this host: for tests that compare it with the committed file.
     */
    public static String of(int port) {
        try (InputStream answer =
                URI.create("http://127.0.0.1:" + port + YAML_PATH).toURL().openStream()) {
            return new String(answer.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The YAML of a running service. */
    public static String of(ApplicationContext service) {
        return of(HttpEdge.port(service));
    }

    /** As YAML, ending with a newline. */
    public String yaml() {
        return write(YAML);
    }

    /** As JSON, ending with a newline. */
    public String json() {
        return write(JSON).stripTrailing() + "\n";
    }

    private String write(ObjectMapper mapper) {
        try {
            return mapper.writeValueAsString(root);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the document cannot be written", e);
        }
    }

    private static ObjectNode normalised(ObjectNode document) {
        document.remove("servers");
        ObjectNode result = JSON.createObjectNode();
        HEAD.forEach(name -> {
            if (document.has(name)) {
                result.set(name, document.get(name));
            }
        });
        document.properties().forEach(field -> result.putIfAbsent(field.getKey(), field.getValue()));
        sortWithin(result, false);
        return result;
    }

    /** Maps of names are sorted; the fields of an object and the properties of a schema keep their order. */
    private static void sortWithin(JsonNode node, boolean areProperties) {
        if (node instanceof ObjectNode object) {
            for (Map.Entry<String, JsonNode> field : object.properties()) {
                if (!areProperties && SORTED.contains(field.getKey()) && field.getValue() instanceof ObjectNode names) {
                    sort(names);
                }
                sortWithin(field.getValue(), !areProperties && field.getKey().equals("properties"));
            }
        } else {
            for (Iterator<JsonNode> elements = node.elements(); elements.hasNext(); ) {
                sortWithin(elements.next(), false);
            }
        }
    }

    private static void sort(ObjectNode names) {
        TreeMap<String, JsonNode> sorted = new TreeMap<>();
        names.properties().forEach(field -> sorted.put(field.getKey(), field.getValue()));
        names.removeAll();
        names.setAll(sorted);
    }
}
