package io.weighbridge.metadata;

import io.weighbridge.ledger.http.HttpEdge;
import io.weighbridge.ledger.http.health.ReadinessCheck;
import io.weighbridge.ledger.store.LedgerStore;
import io.weighbridge.ledger.store.Writer;
import io.weighbridge.ledger.store.migrate.LedgerReadiness;
import io.weighbridge.metadata.idempotency.IdempotencyConfiguration;
import io.weighbridge.metadata.node.NodeConfiguration;
import io.weighbridge.metadata.object.ObjectConfiguration;
import io.weighbridge.metadata.revision.RevisionConfiguration;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** The metadata service's process. It names every part it consists of: several services can share one class path. */
@SpringBootConfiguration(proxyBeanMethods = false)
@Import({
    HttpEdge.class,
    LedgerStore.class,
    IdempotencyConfiguration.class,
    RevisionConfiguration.class,
    ObjectConfiguration.class,
    NodeConfiguration.class
})
public class MetadataService {

    public static void main(String[] args) {
        builder().run(args);
    }

    /** The service before it is started, for those who add properties of their own. */
    public static SpringApplicationBuilder builder() {
        return HttpEdge.application(MetadataService.class, "weighbridge-metadata");
    }

    @Bean
    Writer writer() {
        return Writer.METADATA;
    }

    @Bean
    ReadinessCheck ledgerReady(LedgerReadiness ledger) {
        return ReadinessCheck.of("ledger", ledger::obstacle);
    }
}
