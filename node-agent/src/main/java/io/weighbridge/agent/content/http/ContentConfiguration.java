package io.weighbridge.agent.content.http;

import io.weighbridge.agent.content.application.Downloads;
import io.weighbridge.agent.content.application.StoredReports;
import io.weighbridge.agent.content.application.Uploads;
import io.weighbridge.agent.flow.BlockingThreads;
import io.weighbridge.agent.flow.ByteBudget;
import io.weighbridge.agent.registration.application.LedgerClock;
import io.weighbridge.agent.registration.application.ReadLeases;
import io.weighbridge.agent.registration.application.ReportQueue;
import io.weighbridge.agent.registration.application.WriteTokens;
import io.weighbridge.ledger.http.security.PublicPaths;
import java.time.Duration;
import java.util.List;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The parts of content. */
@Configuration(proxyBeanMethods = false)
@Import(ContentController.class)
public class ContentConfiguration {

    /** Capabilities guard the bytes: whoever has a token or lease got it from the ledger (spec 5.3). */
    @Bean
    PublicPaths contentPaths() {
        return new PublicPaths(List.of("/v1/objects/content"));
    }

    @Bean
    StoredReports storedReports(ReportQueue reports, WriteTokens tokens) {
        return new StoredReports(reports, tokens);
    }

    @Bean
    Uploads uploads(
            WriteTokens tokens,
            StoredReports reports,
            BlockingThreads threads,
            @Value("${weighbridge.agent.upload-patience:30s}") Duration patience) {
        return new Uploads(tokens, reports, threads, patience);
    }

    @Bean
    Downloads downloads(
            ReadLeases leases, LedgerClock clock, ReportQueue reports, BlockingThreads threads, ByteBudget budget) {
        return new Downloads(leases, clock, reports, threads, budget);
    }
}
