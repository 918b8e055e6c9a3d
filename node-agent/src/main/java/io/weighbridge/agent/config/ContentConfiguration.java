package io.weighbridge.agent.config;

import io.weighbridge.agent.content.application.Downloads;
import io.weighbridge.agent.content.application.StoredReports;
import io.weighbridge.agent.content.application.Uploads;
import io.weighbridge.agent.content.http.ContentEndpoints;
import io.weighbridge.agent.flow.BlockingThreads;
import io.weighbridge.agent.flow.ByteBudget;
import io.weighbridge.agent.registration.application.LedgerClock;
import io.weighbridge.agent.registration.application.ReadLeases;
import io.weighbridge.agent.registration.application.ReportQueue;
import io.weighbridge.agent.registration.application.WriteTokens;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The parts of content. */
@Configuration(proxyBeanMethods = false)
@Import(ContentEndpoints.class)
class ContentConfiguration {

    @Bean
    StoredReports storedReports(ReportQueue reports, WriteTokens tokens) {
        return new StoredReports(reports, tokens);
    }

    @Bean
    Uploads uploads(WriteTokens tokens, StoredReports reports, BlockingThreads threads, AgentSettings settings) {
        return new Uploads(tokens, reports, threads, settings.uploadPatience());
    }

    @Bean
    Downloads downloads(
            ReadLeases leases, LedgerClock clock, ReportQueue reports, BlockingThreads threads, ByteBudget budget) {
        return new Downloads(leases, clock, reports, threads, budget);
    }
}
