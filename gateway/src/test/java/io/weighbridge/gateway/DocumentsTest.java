package io.weighbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.swagger.v3.core.util.Yaml31;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.weighbridge.ledger.http.openapi.PublishedDocument;
import io.weighbridge.ledger.http.problem.ProblemStatus;
import io.weighbridge.ledger.problem.ProblemCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The published documents; {@code -Dweighbridge.docs.write=true} writes those that are made here (spec 5.4). */
class DocumentsTest {

    private static final Path DOCUMENTS = Path.of("..", "openapi");

    private static byte[] read(String name) throws IOException {
        return Files.readAllBytes(DOCUMENTS.resolve(name));
    }

    private static String merged() throws IOException {
        return MergedDocument.of(
                List.of(read("metadata.yaml"), read("lease.yaml"), read("reconciliation.yaml")),
                read("node-agent.yaml"));
    }

    @Test
    void theMergedDocumentIsThatOfTheServices() throws IOException {
        PublishedDocument.check(DOCUMENTS.resolve("weighbridge.yaml"), merged());
    }

    @Test
    void theMergedDocumentIsWhole() throws IOException {
        String yaml = merged();
        OpenAPI document = Yaml31.mapper().readValue(yaml, OpenAPI.class);
        assertThat(document.getOpenapi()).startsWith("3.1");
        assertThat(document.getInfo().getTitle()).isEqualTo("Weighbridge");
        Set<String> ids = new HashSet<>();
        for (var path : document.getPaths().entrySet()) {
            assertThat(path.getKey()).startsWith("/").doesNotContain("/v1/internal");
            for (Operation operation : path.getValue().readOperations()) {
                assertThat(ids.add(operation.getOperationId()))
                        .as("unique: %s", operation.getOperationId())
                        .isTrue();
                assertThat(operation.getSummary())
                        .as("summary of %s", operation.getOperationId())
                        .isNotBlank();
                assertThat(operation.getResponses())
                        .as("refusals of %s", operation.getOperationId())
                        .containsKeys("400", "401", "403", "500", "503", "504");
                assertThat(operation.getResponses().keySet()).anyMatch(status -> status.startsWith("2"));
                assertThat(inPath(operation)).isEqualTo(variables(path.getKey()));
            }
        }
        assertThat(ids).contains("acquireLease", "listRevisions", "locateObjects");
        assertThat(document.getPaths()).containsKey("/nodes/{node_id}/v1/node");
        Matcher references =
                Pattern.compile("\\$ref: \"?#/components/(\\w+)/(\\w+)").matcher(yaml);
        while (references.find()) {
            assertThat(
                            references.group(1).equals("schemas")
                                    ? document.getComponents().getSchemas().get(references.group(2))
                                    : document.getComponents().getResponses().get(references.group(2)))
                    .as(references.group())
                    .isNotNull();
        }
    }

    private static List<String> inPath(Operation operation) {
        List<String> names = new ArrayList<>();
        if (operation.getParameters() != null) {
            operation.getParameters().stream()
                    .filter(parameter -> "path".equals(parameter.getIn()))
                    .forEach(parameter -> names.add(parameter.getName()));
        }
        return names.stream().sorted().toList();
    }

    private static List<String> variables(String path) {
        return Pattern.compile("\\{(\\w+)}")
                .matcher(path)
                .results()
                .map(found -> found.group(1))
                .sorted()
                .toList();
    }

    @Test
    void theProblemsAreListedInOrder() {
        StringBuilder yaml = new StringBuilder("# Every refusal (spec 5.1), in the order of the code.\nproblems:\n");
        for (ProblemCode code : ProblemCode.values()) {
            yaml.append("  - code: ")
                    .append(code)
                    .append("\n    status: ")
                    .append(ProblemStatus.of(code))
                    .append("\n    retry: ")
                    .append(code.retry())
                    .append("\n    retry_after: ")
                    .append(ProblemStatus.hasRetryAfter(code))
                    .append('\n');
        }
        PublishedDocument.check(DOCUMENTS.resolve("problems.yaml"), yaml.toString());
    }

    private static final String SMALL = """
            openapi: 3.1.0
            paths:
              /v1/a/{id}:
                post:
                  operationId: a
                  parameters: [{name: id, in: path, required: true}, {name: p, in: query}]
                  requestBody:
                    content: {application/json: {schema: {$ref: '#/components/schemas/In'}}}
                  responses:
                    '200': {content: {application/json: {schema: {$ref: '#/components/schemas/Out'}}}}
            components:
              schemas:
                In: {type: object, required: [x], properties: {x: {type: string, enum: [A, B]}, y: {type: string}}}
                Out: {type: object, required: [z], properties: {z: {type: integer}}}
            """;

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            /v1/a/{id}:              | /v1/b/{id}:                             | post /v1/a/{id} is gone
            post:                    | put:                                    | post /v1/a/{id} is gone
            operationId: a           | operationId: b                          | post /v1/a/{id} has another operationId
            {name: p, in: query}     | {name: p, in: query, required: true}    | post /v1/a/{id} requires p
            {name: p, in: query}     | {name: q, in: query}                    | post /v1/a/{id} has lost p
            required: [x]            | required: [x, y]                        | post /v1/a/{id} requires y
            , y: {type: string}      | , w: {type: string}                     | post /v1/a/{id} has lost y
            [A, B]                   | [A]                                     | post /v1/a/{id} x does not take B
            required: [z],           | ` `                                     | post /v1/a/{id} does not promise z
            z: {type: integer}       | z: {type: string}                       | post /v1/a/{id} z has another type than "integer"
            '200'                    | '201'                                   | post /v1/a/{id} no longer answers 200
            """)
    void whatBreaksCallersIsNamed(String was, String now, String complaint) {
        assertThat(PublishedDocument.breaks(SMALL, SMALL.replace(was, now))).contains(complaint);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {name: p, in: query}     | {name: p, in: query}, {name: n, in: query}
            [A, B]                   | [A, B, C]
            , y: {type: string}      | , y: {type: string}, n: {type: string}
            z: {type: integer}       | z: {type: integer}, n: {type: string}
            required: [z]            | required: [z, n]
            """)
    void additionsBreakNobody(String was, String now) {
        assertThat(PublishedDocument.breaks(SMALL, SMALL.replace(was, now))).isEmpty();
    }

    @Test
    void documentsThatContradictEachOtherAreNotMerged() {
        byte[] one = SMALL.getBytes(StandardCharsets.UTF_8);
        byte[] two = SMALL.replace("/v1/a", "/v1/b")
                .replace("operationId: a", "operationId: b")
                .replace("integer", "string")
                .getBytes(StandardCharsets.UTF_8);
        byte[] agent = "openapi: 3.1.0\n".getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> MergedDocument.of(List.of(one, two), agent))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("schemas/Out");
        assertThatThrownBy(() -> MergedDocument.of(List.of(one, one), agent)).hasMessageContaining("/v1/a/{id}");
        assertThatThrownBy(() -> MergedDocument.of(
                        List.of(one, SMALL.replace("/v1/a", "/v1/b").getBytes(StandardCharsets.UTF_8)), agent))
                .hasMessageContaining("operationId a");
    }
}
