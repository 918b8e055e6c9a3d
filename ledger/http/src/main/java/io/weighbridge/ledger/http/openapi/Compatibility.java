package io.weighbridge.ledger.http.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What of a published document callers rely on: its operations, that requests made from it are complete and understood,
 * and that answers have the fields that it promises. Schemas are compared in the direction in which they are used.
 */
final class Compatibility {

    private static final String SCHEMAS = "#/components/schemas/";

    private final JsonNode before;
    private final JsonNode after;
    private final Set<String> found = new TreeSet<>();
    private final Set<String> seen = new HashSet<>();

    Compatibility(JsonNode before, JsonNode after) {
        this.before = before;
        this.after = after;
    }

    List<String> breaks() {
        for (Map.Entry<String, JsonNode> path : before.path("paths").properties()) {
            for (Map.Entry<String, JsonNode> method : path.getValue().properties()) {
                String where = method.getKey() + " " + path.getKey();
                JsonNode now = after.path("paths").path(path.getKey()).path(method.getKey());
                if (now.isMissingNode()) {
                    found.add(where + " is gone");
                } else {
                    operation(where, method.getValue(), now);
                }
            }
        }
        return new ArrayList<>(found);
    }

    private void operation(String where, JsonNode was, JsonNode now) {
        if (!was.path("operationId").equals(now.path("operationId"))) {
            found.add(where + " has another operationId");
        }
        for (JsonNode parameter : now.path("parameters")) {
            JsonNode known = parameter(was, parameter);
            if (parameter.path("required").asBoolean()
                    && !known.path("required").asBoolean()) {
                found.add(where + " requires " + parameter.path("name").asText());
            }
        }
        for (JsonNode parameter : was.path("parameters")) {
            if (parameter(now, parameter).isMissingNode()) {
                found.add(where + " has lost " + parameter.path("name").asText());
            }
        }
        if (now.path("requestBody").path("required").asBoolean()
                && !was.path("requestBody").path("required").asBoolean()) {
            found.add(where + " requires a body");
        }
        schema(where, content(was.path("requestBody")), content(now.path("requestBody")), true);
        for (Map.Entry<String, JsonNode> answer : was.path("responses").properties()) {
            if (answer.getKey().startsWith("2")) {
                JsonNode same = now.path("responses").path(answer.getKey());
                if (same.isMissingNode()) {
                    found.add(where + " no longer answers " + answer.getKey());
                }
                schema(where, content(answer.getValue()), content(same), false);
            }
        }
    }

    private static JsonNode parameter(JsonNode operation, JsonNode like) {
        for (JsonNode parameter : operation.path("parameters")) {
            if (parameter.path("name").equals(like.path("name"))
                    && parameter.path("in").equals(like.path("in"))) {
                return parameter;
            }
        }
        return MissingNode.getInstance();
    }

    private static JsonNode content(JsonNode body) {
        for (JsonNode media : body.path("content")) {
            return media.path("schema");
        }
        return MissingNode.getInstance();
    }

    private void schema(String where, JsonNode wasReference, JsonNode nowReference, boolean request) {
        if (wasReference.isMissingNode() || nowReference.isMissingNode()) {
            return;
        }
        if (!seen.add((request ? "request " : "answer ") + wasReference + nowReference)) {
            return;
        }
        JsonNode was = resolved(before, wasReference);
        JsonNode now = resolved(after, nowReference);
        if (!was.path("type").equals(now.path("type"))) {
            found.add(where + " has another type than " + was.path("type"));
        }
        Set<String> required = texts(was.path("required"));
        Set<String> requiredNow = texts(now.path("required"));
        for (String name : request ? requiredNow : required) {
            if (!(request ? required : requiredNow).contains(name)) {
                found.add(where + (request ? " requires " : " does not promise ") + name);
            }
        }
        for (Map.Entry<String, JsonNode> property : was.path("properties").properties()) {
            JsonNode same = now.path("properties").path(property.getKey());
            if (same.isMissingNode()) {
                found.add(where + " has lost " + property.getKey());
            }
            schema(where + " " + property.getKey(), property.getValue(), same, request);
        }
        schema(where + " items", was.path("items"), now.path("items"), request);
        for (String value : texts(was.path("enum"))) {
            if (request && !texts(now.path("enum")).contains(value)) {
                found.add(where + " does not take " + value);
            }
        }
    }

    private static JsonNode resolved(JsonNode document, JsonNode schema) {
        String reference = schema.path("$ref").asText();
        return reference.startsWith(SCHEMAS)
                ? document.path("components").path("schemas").path(reference.substring(SCHEMAS.length()))
                : schema;
    }

    private static Set<String> texts(JsonNode array) {
        Set<String> texts = new TreeSet<>();
        array.forEach(element -> texts.add(element.asText()));
        return texts;
    }
}
