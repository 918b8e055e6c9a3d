package io.weighbridge.ledger.store.feed;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.r2dbc.pool.ConnectionPool;
import io.weighbridge.ledger.store.LedgerSettings;
import io.weighbridge.ledger.store.LedgerStore;
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Gives a service the feed, and tells the feeds of all instances when this service has committed something. */
@Configuration(proxyBeanMethods = false)
public class LedgerFeed {

    @Bean(destroyMethod = "close")
    Feed feed(LedgerSettings settings, ConnectionPool readPool, ObjectProvider<MeterRegistry> metrics) {
        Feed feed = new Feed(readPool, LedgerStore.connections(settings));
        metrics.ifAvailable(watermarkAge(feed)::bindTo);
        return feed;
    }

    @Bean(destroyMethod = "close")
    FeedNotifier feedNotifier(LedgerSettings settings) {
        return new FeedNotifier(LedgerStore.connections(settings));
    }

    /** An alert belongs to it: a transaction that does not end holds up every consumer. */
    private static MeterBinder watermarkAge(Feed feed) {
        return registry -> TimeGauge.builder(
                        "weighbridge.feed.watermark.age",
                        feed,
                        TimeUnit.MILLISECONDS,
                        source -> source.watermarkAge().toMillis())
                .description("for how long one transaction has been holding the feed back")
                .register(registry);
    }
}
