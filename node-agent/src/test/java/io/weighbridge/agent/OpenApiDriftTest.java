package io.weighbridge.agent;

import io.weighbridge.ledger.http.openapi.OpenApiDocument;
import io.weighbridge.ledger.http.openapi.PublishedDocument;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The committed document is what the code says; {@code -Dweighbridge.docs.write=true} writes it (spec 5.4). */
class OpenApiDriftTest {

    @Test
    void theDocumentIsWhatTheCodeSays(@TempDir Path home) {
        try (var agent = NodeAgent.builder()
                .run(
                        "--server.port=0",
                        "--weighbridge.services.metadata=http://127.0.0.1:9",
                        "--weighbridge.services.lease=http://127.0.0.1:9",
                        "--weighbridge.security.own-token=nobody",
                        "--weighbridge.agent.state-dir=" + home.resolve("state"),
                        "--weighbridge.agent.disk-dir=" + home.resolve("disk"),
                        "--weighbridge.agent.memory-bytes=64MB",
                        "--weighbridge.agent.disk-bytes=64MB")) {
            PublishedDocument.check(Path.of("../openapi/node-agent.yaml"), OpenApiDocument.of(agent));
        }
    }
}
