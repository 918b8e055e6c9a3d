package io.weighbridge.ledger.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.ledger.http.example.ExampleService;
import io.weighbridge.ledger.http.problem.ProblemStatus;
import io.weighbridge.ledger.problem.ProblemCode;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.ConfigurableApplicationContext;
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
                        + code.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-'))
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
        client.method(org.springframework.http.HttpMethod.valueOf(method))
                .uri(java.net.URI.create("http://127.0.0.1:" + ExampleService.port(service) + path))
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
}
