package io.weighbridge.ledger.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.weighbridge.ledger.http.example.ExampleService;
import io.weighbridge.ledger.http.openapi.OpenApiDocument;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** The document of the example service says what the code does. */
class OpenApiIT {

    private static ConfigurableApplicationContext service;
    private static String yaml;
    private static JsonNode document;

    @BeforeAll
    static void start() throws Exception {
        service = ExampleService.start();
        yaml = OpenApiDocument.of(service);
        document = new YAMLMapper().readTree(yaml);
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @Test
    void theFormIsStable() throws Exception {
        assertThat(yaml)
                .startsWith("openapi: 3.1.0\n")
                .doesNotContain("127.0.0.1", "localhost", "servers:", "v3/api-docs", "healthz")
                .isEqualTo(OpenApiDocument.of(service));
        List<String> paths = names(document.path("paths"));
        assertThat(paths).isSorted().contains("/v1/weighings", "/v1/wagons/{id}/move");
        URI json = URI.create("http://127.0.0.1:" + ExampleService.port(service) + "/openapi.json");
        assertThat(new ObjectMapper().readTree(json.toURL())).isEqualTo(document);
    }

    @Test
    void recordsAreDescribedByThemselves() {
        JsonNode weighing = document.at("/components/schemas/Weighing");
        assertThat(names(weighing.path("properties")))
                .containsExactly("wagon_id", "gross_bytes", "axles", "kind", "items", "note", "tare");
        assertThat(texts(weighing.path("required")))
                .containsExactlyInAnyOrder("wagon_id", "gross_bytes", "axles", "kind", "items");
        assertThat(weighing.at("/properties/gross_bytes/description").asText()).isEqualTo("with the wagon, in bytes");
        assertThat(weighing.path("description").asText()).isEqualTo("A body with everything that can be wrong in one.");
        assertThat(document.at("/components/schemas/WeighingItem/required")
                        .get(0)
                        .asText())
                .isEqualTo("key");
        assertThat(texts(document.at("/components/schemas/WeighingKind/enum"))).containsExactly("FULL", "EMPTY");
    }

    @Test
    void operationsHaveTheirWordsHeadersAndRefusals() {
        JsonNode move = document.at("/paths/~1v1~1wagons~1{id}~1move/post");
        assertThat(move.path("operationId").asText()).isEqualTo("move");
        assertThat(move.path("summary").asText()).isEqualTo("Moves a wagon");
        assertThat(move.path("description").asText()).contains("where the caller believes");
        assertThat(texts(move.path("tags"))).containsExactly("example");
        assertThat(move.path("parameters").findValuesAsText("name")).containsExactly("id", "If-Match");
        assertThat(move.path("parameters").get(0).path("description").asText()).isEqualTo("of the wagon");
        assertThat(names(move.path("responses")))
                .containsExactly("200", "202", "400", "401", "403", "404", "409", "412", "428", "500", "503", "504");
        assertThat(move.at("/responses/409/description").asText()).isEqualTo("CONFLICT, NOT_READY");
        assertThat(move.at("/responses/428/$ref").asText()).isEqualTo("#/components/responses/PRECONDITION_REQUIRED");
        assertThat(document.at("/components/responses/UNAVAILABLE/headers").has("Retry-After"))
                .isTrue();
        assertThat(document.at("/paths/~1v1~1numbers/get/parameters").findValuesAsText("name"))
                .containsExactly("limit", "page_size", "page_token");
        assertThat(document.at("/paths/~1v1~1weighings/post/parameters").findValuesAsText("name"))
                .containsExactly("Idempotency-Key");
    }

    @Test
    void everyReferenceLeadsSomewhere() {
        for (String reference : document.findValuesAsText("$ref")) {
            assertThat(document.at(reference.substring(1)).isMissingNode())
                    .as(reference)
                    .isFalse();
        }
    }

    private static List<String> names(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(text -> texts.add(text.asText()));
        return texts;
    }
}
