package io.weighbridge.metadata.revision;

import io.weighbridge.ledger.store.Ledger;
import io.weighbridge.ledger.store.feed.Feed;
import io.weighbridge.metadata.idempotency.IdempotentCommands;
import io.weighbridge.metadata.revision.application.Awaiting;
import io.weighbridge.metadata.revision.application.ClaimChecks;
import io.weighbridge.metadata.revision.application.Imports;
import io.weighbridge.metadata.revision.application.LedgerImports;
import io.weighbridge.metadata.revision.application.MemberPuts;
import io.weighbridge.metadata.revision.application.OperationClaims;
import io.weighbridge.metadata.revision.application.OplogCapability;
import io.weighbridge.metadata.revision.application.RevisionHandler;
import io.weighbridge.metadata.revision.application.RevisionQueries;
import io.weighbridge.metadata.revision.http.CatalogController;
import io.weighbridge.metadata.revision.http.FeedController;
import io.weighbridge.metadata.revision.http.ImportController;
import io.weighbridge.metadata.revision.http.InternalRevisionController;
import io.weighbridge.metadata.revision.http.OperationController;
import io.weighbridge.metadata.revision.http.RevisionController;
import io.weighbridge.metadata.revision.postgres.ImportRows;
import io.weighbridge.metadata.revision.postgres.RevisionReads;
import io.weighbridge.metadata.revision.postgres.RevisionTable;
import io.weighbridge.metadata.revision.postgres.SituationReads;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** What the subject {@code revision} is made of. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(OplogCapability.class)
@Import({
    ImportController.class,
    RevisionController.class,
    CatalogController.class,
    OperationController.class,
    InternalRevisionController.class,
    FeedController.class
})
public class RevisionConfiguration {

    @Bean
    RevisionHandler revisionHandler(
            Ledger ledger,
            RevisionTable table,
            MemberPuts puts,
            IdempotentCommands idempotent,
            OplogCapability capability) {
        return new RevisionHandler(ledger, table, puts, idempotent, capability);
    }

    @Bean
    RevisionTable revisionTable() {
        return new RevisionTable();
    }

    @Bean
    RevisionQueries revisionQueries(Ledger ledger) {
        return new RevisionQueries(new RevisionReads(ledger), new SituationReads(ledger));
    }

    @Bean
    Imports imports() {
        return new LedgerImports(new ImportRows());
    }

    @Bean
    OperationClaims operationClaims(RevisionTable table) {
        return new ClaimChecks(table);
    }

    @Bean
    Awaiting awaiting(Feed feed) {
        return new Awaiting(feed);
    }
}
