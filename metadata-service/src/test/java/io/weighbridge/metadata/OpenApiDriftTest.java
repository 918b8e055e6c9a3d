package io.weighbridge.metadata;

import io.weighbridge.ledger.http.openapi.OpenApiDocument;
import io.weighbridge.ledger.http.openapi.PublishedDocument;
import io.weighbridge.ledger.store.Writer;
import io.weighbridge.testkit.TestLedger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The committed document is what the code says; {@code -Dweighbridge.docs.write=true} writes it (spec 5.4). */
class OpenApiDriftTest {

    @RegisterExtension
    static final TestLedger LEDGER = TestLedger.perClass();

    @Test
    void theDocumentIsWhatTheCodeSays() {
        List<String> arguments = new ArrayList<>(List.of("--server.port=0"));
        LEDGER.properties(Writer.METADATA).forEach((name, value) -> arguments.add("--" + name + "=" + value));
        try (var service = MetadataService.builder().run(arguments.toArray(String[]::new))) {
            PublishedDocument.check(Path.of("../openapi/metadata.yaml"), OpenApiDocument.of(service));
        }
    }
}
