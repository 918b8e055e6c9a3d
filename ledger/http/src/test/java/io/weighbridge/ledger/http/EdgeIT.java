package io.weighbridge.ledger.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.ledger.http.example.ExampleService;
import io.weighbridge.ledger.http.problem.ProblemStatus;
import io.weighbridge.ledger.problem.ProblemCode;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;

/** Problems, JSON, fences, pages, health and feeds against a real port. */
class EdgeIT {

    private static final String WAGON = "6f2c1b1e-7a53-4a7b-9a66-0d7f5a5f3c11";
    private static final String GOOD = """
            {"wagon_id":"%s","gross_bytes":5,"axles":4,"kind":"FULL","items":[{"key":"a"}]}""".formatted(WAGON);

    private static ConfigurableApplicationContext service;
    private static WebTestClient client;

    @BeforeAll
    static void start() {
        service = ExampleService.start("weighbridge.http.max-body=4KB", "weighbridge.http.request-timeout=300ms");
        client = WebTestClient.bindToServer()
                .baseUrl("http://127.0.0.1:" + ExampleService.port(service))
                .build();
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @ParameterizedTest
    @EnumSource(ProblemCode.class)
    void everyRefusalHasItsStatusAndBody(ProblemCode code) {
        client.get()
                .uri("/v1/refused?code=" + code)
                .exchange()
                .expectStatus()
                .isEqualTo(ProblemStatus.of(code))
                .expectHeader()
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .expectHeader()
                .values(
                        "Retry-After",
                        values -> assertThat(values)
                                .isEqualTo(List.of(429, 503).contains(ProblemStatus.of(code)) ? List.of("1") : values))
                .expectBody()
                .jsonPath("$.code")
                .isEqualTo(code.name())
                .jsonPath("$.type")
                .isEqualTo("urn:weighbridge:problem:"
                        + code.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                .jsonPath("$.detail")
                .isEqualTo("as asked")
                .jsonPath("$.retry")
                .isEqualTo(code.retry().name())
                .jsonPath("$.trace_id")
                .value(String.class, id -> assertThat(id).matches("[0-9a-f]{32}"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            GET    | /v1/nothing          | 404 | NOT_FOUND
            DELETE | /v1/weighings        | 405 | METHOD_NOT_ALLOWED
            GET    | /v1/refused          | 400 | INVALID_ARGUMENT
            GET    | /v1/refused?code=ODD | 400 | INVALID_ARGUMENT
            GET    | /v1/slow?millis=x    | 400 | INVALID_ARGUMENT
            GET    | /v1/wagons/1-1-1-1-1 | 400 | INVALID_ARGUMENT
            GET    | /v1/revisions/abc    | 400 | INVALID_ARGUMENT
            GET    | /v1/never            | 504 | DEADLINE_EXCEEDED
            GET    | /v1/broken           | 500 | INTERNAL
            POST   | /v1/weighings        | 400 | INVALID_ARGUMENT
            GET    | /v1/wagons/a%2Fb     | 400 | INVALID_ARGUMENT
            GET    | /v1/internal/work    | 403 | PERMISSION_DENIED
            GET    | /v1/operators        | 403 | PERMISSION_DENIED
            """)
    void whatTheFrameworkAnswersIsAProblemToo(String method, String path, int status, String code) {
        client.method(HttpMethod.valueOf(method))
                .uri(URI.create("http://127.0.0.1:" + ExampleService.port(service) + path))
                .contentType(MediaType.APPLICATION_JSON)
                .exchange()
                .expectStatus()
                .isEqualTo(status)
                .expectHeader()
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .expectBody()
                .jsonPath("$.code")
                .isEqualTo(code)
                .jsonPath("$.detail")
                .value(String.class, detail -> assertThat(detail).doesNotContain("secret", "java.", "Exception"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"gross_bytes":5,"axles":4,"kind":"FULL","items":[]}                                | wagon_id           | is missing
            {"wagon_id":"W","gross_bytes":null,"axles":4,"kind":"FULL","items":[]}              | gross_bytes        | is missing
            {"wagon_id":"W","axles":4,"kind":"FULL","items":[]}                                 | gross_bytes        | is missing
            {"wagon_id":"W","gross_bytes":5,"axles":4,"kind":"FULL","items":null}               | items              | is missing
            {"wagon_id":"W","gross_bytes":5,"axles":4,"kind":"FULL","items":[null]}             | items[0]           | is missing
            {"wagon_id":"W","gross_bytes":5,"axles":4,"kind":"FULL","items":[{"key":"a"},{}]}   | items[1].key       | is missing
            {"wagon_id":"W","gross_bytes":5,"axles":4,"kind":"FULL","items":[{"key":null}]}     | items[0].key       | is missing
            {"wagon_id":"W","gross_bytes":5,"axles":4,"kind":"FULL","items":[{"key":7}]}        | items[0].key       | is not a valid text
            {"wagon_id":"W","gross_bytes":5.5,"axles":4,"kind":"FULL","items":[]}               | gross_bytes        | 64 bits
            {"wagon_id":"W","gross_bytes":"5","axles":4,"kind":"FULL","items":[]}               | gross_bytes        | 64 bits
            {"wagon_id":"W","gross_bytes":5,"axles":4294967296,"kind":"FULL","items":[]}        | axles              | 32 bits
            {"wagon_id":"W","gross_bytes":99999999999999999999,"axles":4,"kind":"FULL","items":[]} | gross_bytes     | 64 bits
            {"wagon_id":"W","gross_bytes":NaN,"axles":4,"kind":"FULL","items":[]}               | body               | well-formed JSON at line 1, column
            {"wagon_id":"W","gross_bytes":5,"axles":4,"kind":"ODD","items":[]}                  | kind               | must be one of [FULL, EMPTY]
            {"wagon_id":"W","gross_bytes":5,"axles":4,"kind":1,"items":[]}                      | kind               | must be one of
            {"wagon_id":"W","gross_bytes":5,"axles":4,"kind":"FULL","items":[],"odd":1}         | odd                | is unknown
            {"wagon_id":"W","gross_bytes":5,"axles":4,"kind":"FULL","items":[{"key":"a","odd":1}]} | items[0].odd    | is unknown
            {"wagon_id":"W","gross_bytes":5,"gross_bytes":6,"axles":4,"kind":"FULL","items":[]} | gross_bytes        | appears twice
            {"wagonId":"W"}                                                                     | wagon_id           | is missing
            {"wagon_id":"1-1-1-1-1","gross_bytes":5,"axles":4,"kind":"FULL","items":[]}         | wagon_id           | is not a valid UUID
            {"wagon_id":"W","gross_bytes":5,"axles":4,"kind":"FULL","items":{}}                 | items              | is not a valid array
            {"wagon_id":"W","gross_bytes":5,"axles":4,"kind":"FULL","items":[]} 1               | body               | more after its end
            [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]                                          | body               | not a valid object
            {"wagon_id":                                                                        | body               | well-formed
            not json                                                                            | body               | well-formed
            null                                                                                | body               | is malformed
            """)
    void aMalformedBodyIsRefusedWithItsPlace(String body, String field, String message) {
        client.post()
                .uri("/v1/weighings")
                .contentType(MediaType.APPLICATION_JSON)
                .bodyValue(body.replace("\"W\"", '"' + WAGON + '"'))
                .exchange()
                .expectStatus()
                .isBadRequest()
                .expectBody()
                .jsonPath("$.code")
                .isEqualTo("INVALID_ARGUMENT")
                .jsonPath("$.errors[0].field")
                .isEqualTo(field)
                .jsonPath("$.errors[0].message")
                .value(String.class, text -> assertThat(text).contains(message));
    }

    @Test
    void aGoodBodyIsTakenAndAbsentIsNotWritten() {
        client.post()
                .uri("/v1/weighings")
                .contentType(MediaType.APPLICATION_JSON)
                .bodyValue(GOOD)
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody(String.class)
                .isEqualTo(GOOD);
    }

    @Test
    void deepNestingIsRefused() {
        String deep = GOOD.replace("{\"key\"", "[".repeat(100) + "{\"key\"");
        post(deep).expectStatus().isBadRequest().expectBody().jsonPath("$.code").isEqualTo("INVALID_ARGUMENT");
    }

    @Test
    void aBodyTooLargeIsRefused() {
        post(GOOD.replace("\"a\"", '"' + "a".repeat(5000) + '"'))
                .expectStatus()
                .isEqualTo(413)
                .expectBody()
                .jsonPath("$.code")
                .isEqualTo("PAYLOAD_TOO_LARGE");
    }

    @Test
    void otherMediaTypesAreRefused() {
        client.post()
                .uri("/v1/weighings")
                .contentType(MediaType.TEXT_PLAIN)
                .bodyValue("5 t")
                .exchange()
                .expectStatus()
                .isEqualTo(415)
                .expectBody()
                .jsonPath("$.code")
                .isEqualTo("UNSUPPORTED_MEDIA_TYPE");
        client.get()
                .uri("/v1/wagons/" + WAGON)
                .accept(MediaType.IMAGE_PNG)
                .exchange()
                .expectStatus()
                .isEqualTo(406)
                .expectHeader()
                .contentType(MediaType.APPLICATION_PROBLEM_JSON);
    }

    @Test
    void methodNotAllowedSaysWhichAre() {
        client.delete().uri("/v1/weighings").exchange().expectHeader().valueEquals("Allow", "POST");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            move    | "7"     | 200 | 7
            acquire | "7"     | 200 | 7
            acquire | *       | 200 | *
            move    | *       | 400 | INVALID_ARGUMENT
            move    |         | 428 | PRECONDITION_REQUIRED
            acquire |         | 428 | PRECONDITION_REQUIRED
            move    | W/"7"   | 400 | INVALID_ARGUMENT
            move    | "7","8" | 400 | INVALID_ARGUMENT
            move    | 7       | 400 | INVALID_ARGUMENT
            move    | "0"     | 400 | INVALID_ARGUMENT
            move    | "-1"    | 400 | INVALID_ARGUMENT
            move    | "9007199254740992" | 400 | INVALID_ARGUMENT
            """)
    void theFenceIsIfMatch(String endpoint, @Nullable String ifMatch, int status, String expected) {
        var request = client.post().uri("/v1/wagons/" + WAGON + "/" + endpoint);
        if (ifMatch != null) {
            request.header("If-Match", ifMatch);
        }
        request.exchange()
                .expectStatus()
                .isEqualTo(status)
                .expectBody(String.class)
                .value(body -> assertThat(body).contains('"' + expected + '"'));
    }

    @Test
    void aKnownGenerationIsNotSentAgain() {
        client.get()
                .uri("/v1/wagons/" + WAGON)
                .exchange()
                .expectStatus()
                .isOk()
                .expectHeader()
                .valueEquals("ETag", "\"7\"");
        client.get()
                .uri("/v1/wagons/" + WAGON)
                .header("If-None-Match", "\"6\", \"7\"")
                .exchange()
                .expectStatus()
                .isNotModified();
        client.get()
                .uri("/v1/wagons/" + WAGON)
                .header("If-None-Match", "\"6\"")
                .exchange()
                .expectStatus()
                .isOk();
    }

    @Test
    void pagesFollowEachOtherAndTokensBelongToTheirQuery() {
        String token = page("page_size=4", "[0,1,2,3]");
        String next = page("page_size=4&page_token=" + token, "[4,5,6,7]");
        page("page_size=4&page_token=" + next, "[8,9]");
        for (String wrong : List.of(
                "page_size=0",
                "page_size=1001",
                "page_size=x",
                "page_size=1&page_size=2",
                "page_token=AAAA",
                "page_token=!",
                "limit=9&page_token=" + token,
                "page_token=" + token.substring(1))) {
            client.get()
                    .uri("/v1/numbers?" + wrong)
                    .exchange()
                    .expectStatus()
                    .isBadRequest()
                    .expectBody()
                    .jsonPath("$.errors[0].field")
                    .value(String.class, field -> assertThat(field).startsWith("page_"));
        }
    }

    private static String page(String query, String rows) {
        String body = new String(
                Objects.requireNonNull(client.get()
                        .uri("/v1/numbers?" + query)
                        .exchange()
                        .expectStatus()
                        .isOk()
                        .expectBody()
                        .returnResult()
                        .getResponseBody()),
                StandardCharsets.UTF_8);
        assertThat(body).contains("\"rows\":" + rows);
        return body.replaceFirst(".*next_page_token\":\"", "").replaceFirst("\"}", "");
    }

    @Test
    void longRunningEndpointsOutlastTheTimeLimit() {
        client.get().uri("/v1/slow?millis=600").exchange().expectStatus().isOk();
    }

    @Test
    void theTraceOfTheCallerGoesOnEverywhere() {
        String trace = "0af7651916cd43dd8448eb211c80319c";
        client.get()
                .uri("/v1/refused?code=BUSY")
                .header("traceparent", "00-" + trace + "-b7ad6b7169203331-01")
                .exchange()
                .expectBody()
                .jsonPath("$.trace_id")
                .isEqualTo(trace);
        client.get()
                .uri("/v1/traced")
                .header("traceparent", "00-" + trace + "-b7ad6b7169203331-01")
                .exchange()
                .expectBody()
                .jsonPath("$.trace_id")
                .isEqualTo(trace);
        client.get()
                .uri("/v1/refused?code=BUSY")
                .header("traceparent", "00-00000000000000000000000000000000-b7ad6b7169203331-01")
                .exchange()
                .expectBody()
                .jsonPath("$.trace_id")
                .value(
                        String.class,
                        id -> assertThat(id).matches("[0-9a-f]{32}").doesNotContain("0000000000000000"));
    }

    @Test
    void probesAndMetricsAnswerOnTheMainPort() {
        client.get()
                .uri("/healthz")
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody()
                .json("{\"status\":\"UP\"}");
        client.get()
                .uri("/readyz")
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody()
                .json("""
                        {"status":"UP","components":{"lifecycle":{"status":"UP"},"scales":{"status":"UP"}}}""");
        client.get().uri("/v1/wagons/" + WAGON).exchange().expectStatus().isOk();
        client.get()
                .uri("/metrics")
                .exchange()
                .expectStatus()
                .isOk()
                .expectHeader()
                .contentTypeCompatibleWith(MediaType.TEXT_PLAIN)
                .expectBody(String.class)
                .value(text -> assertThat(text)
                        .contains("http_server_requests_seconds_count", "uri=\"/v1/wagons/{id}\"")
                        .contains("service=\"weighbridge-example\"", "jvm_memory_used_bytes"));
    }

    @Test
    void aFeedResumesAfterTheLastEvent() {
        client.get()
                .uri("/v1/feed")
                .header("Last-Event-ID", "41")
                .exchange()
                .expectHeader()
                .contentTypeCompatibleWith(MediaType.TEXT_EVENT_STREAM)
                .expectBody(String.class)
                .isEqualTo("id:42\ndata:{\"n\":42}\n\nid:43\ndata:{\"n\":43}\n\nid:44\ndata:{\"n\":44}\n\n");
    }

    @ParameterizedTest
    @CsvSource({"abc, 200", "'', 400", "a b, 400", "tab\tinside, 400"})
    void anIdempotencyKeyIsVisibleAscii(String key, int status) {
        client.post()
                .uri("/v1/weighings")
                .header("Idempotency-Key", key)
                .contentType(MediaType.APPLICATION_JSON)
                .bodyValue(GOOD)
                .exchange()
                .expectStatus()
                .isEqualTo(status);
    }

    private static WebTestClient.ResponseSpec post(String body) {
        return client.post()
                .uri("/v1/weighings")
                .contentType(MediaType.APPLICATION_JSON)
                .bodyValue(body)
                .exchange();
    }
}
