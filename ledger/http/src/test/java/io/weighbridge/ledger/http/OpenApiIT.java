package io.weighbridge.ledger.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.ledger.http.example.ExampleService;
import io.weighbridge.ledger.http.openapi.OpenApiDocument;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The document of the example service. */
class OpenApiIT {

    @Test
    void theDocumentSaysWhatTheCodeSays() throws Exception {
        try (var service = ExampleService.start()) {
            String yaml = OpenApiDocument.of(service);
            Files.writeString(Path.of("target/example.yaml"), yaml);
            assertThat(yaml).startsWith("openapi: 3.1.0");
        }
    }
}
