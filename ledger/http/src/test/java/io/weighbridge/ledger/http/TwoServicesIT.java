package io.weighbridge.ledger.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.ledger.http.example.ExampleService;
import io.weighbridge.ledger.http.openapi.OpenApiDocument;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.web.reactive.server.WebTestClient;
import reactor.blockhound.BlockingOperationError;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

/** Several services live in one JVM, and none blocks an event loop. */
class TwoServicesIT {

    @Test
    void oneServiceEndsAndTheOtherGoesOn() {
        ConfigurableApplicationContext first = ExampleService.start("weighbridge.http.max-body=1KB");
        try (var second = ExampleService.start()) {
            String document = OpenApiDocument.of(first);
            assertThat(ExampleService.port(first)).isNotEqualTo(ExampleService.port(second));
            first.close();
            health(second);
            assertThat(OpenApiDocument.of(second)).isEqualTo(document);
            try (var third = ExampleService.start()) {
                health(third);
                health(second);
                assertThat(OpenApiDocument.of(third)).isEqualTo(document);
            }
        }
    }

    @Test
    void blockingOnAnEventLoopIsSeen() {
        StepVerifier.create(Mono.fromCallable(() -> {
                            Thread.sleep(Duration.ofMillis(1));
                            return 1;
                        })
                        .subscribeOn(Schedulers.parallel()))
                .expectError(BlockingOperationError.class)
                .verify(Duration.ofSeconds(10));
    }

    private static void health(ConfigurableApplicationContext service) {
        WebTestClient.bindToServer()
                .baseUrl("http://127.0.0.1:" + ExampleService.port(service))
                .build()
                .get()
                .uri("/readyz")
                .exchange()
                .expectStatus()
                .isOk();
    }
}
