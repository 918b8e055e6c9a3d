package io.weighbridge.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.weighbridge.ledger.http.openapi.OpenApiDocument;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * The one document of everything that the gateway's origin has (spec 5.4): the services' paths without their internal
 * ones, and each agent's paths under {@code /nodes/{node_id}}. What two documents call by one name must be one thing.
 */
final class MergedDocument {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final ObjectMapper YAML = new YAMLMapper();
    private static final String INTERNAL = "/v1/internal/";
    private static final String AGENT = "/nodes/{node_id}";

    private final ObjectNode merged = JSON.createObjectNode();
    private final ObjectNode paths = JSON.createObjectNode();
    private final ObjectNode components = JSON.createObjectNode();
    private final Map<String, JsonNode> tags = new HashMap<>();
    private final Map<String, String> operations = new HashMap<>();

    private MergedDocument() {}

    /**
     * Merges documents.
     *
     * @param services YAML of the services
     * @param agent YAML of a node's agent
     * @return normalised YAML
     * @throws IllegalStateException when two documents contradict each other
     */
    static String of(List<byte[]> services, byte[] agent) {
        MergedDocument document = new MergedDocument();
        services.forEach(service -> document.add(read(service), ""));
        document.add(read(agent), AGENT);
        return document.yaml();
    }

    /** The same document as JSON. */
    static byte[] json(byte[] yaml) {
        try {
            return JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(read(yaml));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void add(JsonNode document, String prefix) {
        merged.set("openapi", document.path("openapi"));
        merged.set("security", document.path("security"));
        each(document.path("paths"), (path, item) -> {
            if (!path.startsWith(INTERNAL)) {
                addPath(prefix, path, item.deepCopy());
            }
        });
        each(
                document.path("components"),
                (kind, named) -> each(named, (name, definition) -> {
                    JsonNode before = components.withObjectProperty(kind).get(name);
                    if (before != null && !before.equals(definition)) {
                        throw new IllegalStateException("two services describe " + kind + "/" + name + " differently");
                    }
                    components.withObjectProperty(kind).set(name, definition);
                }));
        document.path("tags").forEach(tag -> tags.putIfAbsent(tag.path("name").asText(), tag));
    }

    private void addPath(String prefix, String path, JsonNode item) {
        String whole = prefix + path;
        if (paths.has(whole)) {
            throw new IllegalStateException("two services answer " + whole);
        }
        each(item, (method, operation) -> {
            String id = operation.path("operationId").asText();
            String other = operations.putIfAbsent(id, method + " " + whole);
            if (other != null) {
                throw new IllegalStateException(
                        "operationId " + id + " is that of " + other + " and of " + method + " " + whole);
            }
            if (!prefix.isEmpty()) {
                ArrayNode parameters = ((ObjectNode) operation).withArrayProperty("parameters");
                parameters.insert(0, nodeId());
            }
        });
        paths.set(whole, item);
    }

    private static JsonNode nodeId() {
        ObjectNode parameter = JSON.createObjectNode()
                .put("name", "node_id")
                .put("in", "path")
                .put("description", "whose agent is to answer")
                .put("required", true);
        parameter.withObjectProperty("schema").put("type", "string").put("format", "uuid");
        return parameter;
    }

    private String yaml() {
        ObjectNode info =
                merged.withObjectProperty("info").put("title", "Weighbridge").put("version", "v1");
        info.put(
                "description",
                "A control plane for AI model weights, as the gateway offers it. Payload bytes go to and from the"
                        + " agents' own URLs, which answers name; the gateway passes contents of up to 16 MiB.");
        info.withObjectProperty("license").put("name", "Apache-2.0").put("identifier", "Apache-2.0");
        merged.set("paths", paths);
        ArrayNode described = merged.putArray("tags");
        Set<String> used = usedTags();
        tags.entrySet().stream()
                .filter(tag -> used.contains(tag.getKey()))
                .sorted(Map.Entry.comparingByKey())
                .forEach(tag -> described.add(tag.getValue()));
        merged.set("components", components);
        while (dropUnused()) {
            // What was dropped may have been the only one to refer to another.
        }
        return OpenApiDocument.parse(json(merged)).yaml();
    }

    private Set<String> usedTags() {
        Set<String> used = new HashSet<>();
        paths.forEach(item -> item.forEach(operation -> operation.path("tags").forEach(tag -> used.add(tag.asText()))));
        return used;
    }

    /** Internal endpoints leave schemas behind. */
    private boolean dropUnused() {
        Set<String> referred = new HashSet<>();
        merged.findValues("$ref").forEach(reference -> referred.add(reference.asText()));
        boolean dropped = false;
        for (String kind : List.of("schemas", "responses")) {
            for (Iterator<String> names = components.withObjectProperty(kind).fieldNames(); names.hasNext(); ) {
                if (!referred.contains("#/components/" + kind + "/" + names.next())) {
                    names.remove();
                    dropped = true;
                }
            }
        }
        return dropped;
    }

    private static byte[] json(JsonNode node) {
        try {
            return JSON.writeValueAsBytes(node);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode read(byte[] yaml) {
        try {
            return YAML.readTree(yaml);
        } catch (IOException e) {
            throw new UncheckedIOException("not a YAML document", e);
        }
    }

    private static void each(JsonNode object, BiConsumer<String, JsonNode> use) {
        object.properties().forEach(field -> use.accept(field.getKey(), field.getValue()));
    }
}
