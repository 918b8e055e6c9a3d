package io.weighbridge.agent.config;

import io.weighbridge.agent.content.application.StoredReports;
import io.weighbridge.agent.flow.BlockingThreads;
import io.weighbridge.agent.flow.ByteBudget;
import io.weighbridge.agent.registration.Ledger;
import io.weighbridge.agent.registration.application.LedgerClock;
import io.weighbridge.agent.registration.application.NodeIdentity;
import io.weighbridge.agent.registration.application.ReadLeases;
import io.weighbridge.agent.registration.application.ReportQueue;
import io.weighbridge.agent.registration.application.WriteTokens;
import io.weighbridge.agent.transfer.application.LocalTransport;
import io.weighbridge.agent.transfer.application.TransferDesk;
import io.weighbridge.agent.transfer.application.TransferParts;
import io.weighbridge.agent.transfer.calls.HttpTransport;
import io.weighbridge.agent.transfer.http.TransferEndpoints;
import io.weighbridge.ledger.http.calls.Calls;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.client.ReactorResourceFactory;
import tools.jackson.databind.json.JsonMapper;

/** The parts of transfers. */
@Configuration(proxyBeanMethods = false)
@Import(TransferEndpoints.class)
class TransferConfiguration {

    @Bean
    LocalTransport localTransport(
            NodeIdentity identity, ReadLeases leases, ReportQueue reports, BlockingThreads threads) {
        return new LocalTransport(identity, leases, reports, threads);
    }

    @Bean(destroyMethod = "close")
    HttpTransport httpTransport(
            ReactorResourceFactory resources, Calls calls, BlockingThreads threads, JsonMapper json) {
        return new HttpTransport(resources.getLoopResources(), calls::secured, threads, json);
    }

    @Bean
    TransferParts transferParts(
            Ledger ledger,
            LedgerClock clock,
            WriteTokens tokens,
            StoredReports reports,
            LocalTransport local,
            HttpTransport http,
            ByteBudget budget,
            BlockingThreads threads) {
        return new TransferParts(ledger, clock, tokens, reports, List.of(local, http), budget, threads);
    }

    @Bean
    TransferDesk transferDesk(TransferParts parts, AgentSettings settings) {
        return parts.desk(settings.transfersAtOnce(), settings.transfersQueued(), settings.transferStreams());
    }
}
