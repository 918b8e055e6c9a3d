package io.weighbridge.reconciliation.work;

import io.weighbridge.ledger.store.Ledger;
import io.weighbridge.ledger.store.Randomness;
import io.weighbridge.ledger.store.feed.Feed;
import io.weighbridge.ledger.store.feed.FeedFilter;
import io.weighbridge.reconciliation.config.ReconciliationProperties;
import io.weighbridge.reconciliation.work.application.Inventory;
import io.weighbridge.reconciliation.work.application.Look;
import io.weighbridge.reconciliation.work.application.LoopSettings;
import io.weighbridge.reconciliation.work.application.News;
import io.weighbridge.reconciliation.work.application.NewsReader;
import io.weighbridge.reconciliation.work.application.Sweeper;
import io.weighbridge.reconciliation.work.application.WorkLoop;
import io.weighbridge.reconciliation.work.domain.Backoff;
import io.weighbridge.reconciliation.work.postgres.CursorProjection;
import io.weighbridge.reconciliation.work.postgres.WorkProjection;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What the subject {@code work} is made of. */
@Configuration(proxyBeanMethods = false)
public class WorkConfiguration {

    @Bean
    WorkProjection workProjection(Ledger ledger) {
        return new WorkProjection(ledger, Randomness.id());
    }

    @Bean
    WorkLoop workLoop(WorkProjection work, Look look, ReconciliationProperties properties) {
        LoopSettings settings = new LoopSettings(
                properties.poll(),
                properties.sweep(),
                properties.hold(),
                properties.concurrency(),
                new Backoff(properties.backoffFirst(), properties.backoffLimit()));
        return new WorkLoop(work, look, settings);
    }

    @Bean
    Sweeper sweeper(Inventory inventory, WorkProjection work, WorkLoop loop, ReconciliationProperties properties) {
        return new Sweeper(inventory, work, loop, properties.sweep());
    }

    /** The feed is read where it lies: every service may, and no peer has to be up for it. */
    @Bean
    NewsReader newsReader(Feed feed, Ledger ledger, WorkProjection work, Sweeper sweeper, WorkLoop loop) {
        News news = cursor -> feed.subscribe(cursor, FeedFilter.all());
        return new NewsReader(news, new CursorProjection(ledger), work, sweeper, loop);
    }
}
