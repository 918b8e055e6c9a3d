package io.weighbridge.ledger.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weighbridge.ledger.store.feed.Feed;
import io.weighbridge.ledger.store.feed.FeedFilter;
import io.weighbridge.ledger.store.migrate.LedgerReadiness;
import io.weighbridge.ledger.vocabulary.EntryKind;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import reactor.test.StepVerifier;

/** Goal: one import gives a service its ledger, verified, with a feed that its own commits wake. */
class LedgerStoreIT {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @SpringBootConfiguration(proxyBeanMethods = false)
    @Import(LedgerStore.class)
    static class Service {
        @Bean
        Writer writer() {
            return Writer.METADATA;
        }
    }

    @Test
    void aServiceAppendsAndHearsOfIt() {
        try (ConfigurableApplicationContext context = start(StoreDatabase.fresh())) {
            Ledger ledger = context.getBean(Ledger.class);
            Feed feed = context.getBean(Feed.class);
            OplogEntry entry =
                    new OplogEntry(EntryKind.ImportBegun, "x", 1, "default", null, null, "test", "{\"a\": 1}");
            StepVerifier.create(feed.subscribe("now", FeedFilter.all()).take(1))
                    .thenAwait(Duration.ofMillis(300))
                    .then(() -> ledger.transact(
                                    Guards.none(), t -> t.append(entry).thenReturn(1))
                            .block(PATIENCE))
                    .assertNext(seen -> {
                        assertThat(seen.kind()).isEqualTo("ImportBegun");
                        assertThat(seen.state()).isEqualTo(Map.of("a", 1));
                    })
                    .expectComplete()
                    .verify(PATIENCE);
            StepVerifier.create(context.getBean(LedgerReadiness.class).obstacle())
                    .expectNext(Optional.empty())
                    .verifyComplete();
        }
    }

    @Test
    void aServiceDoesNotStartOnAnUnfitLedger() throws SQLException {
        StoreDatabase database = StoreDatabase.fresh();
        database.run("DROP SCHEMA flyway CASCADE");
        assertThatThrownBy(() -> start(database).close()).rootCause().hasMessageContaining("run ./weighbridge migrate");
    }

    private static ConfigurableApplicationContext start(StoreDatabase database) {
        LedgerSettings settings = database.settings(Writer.METADATA);
        SpringApplication application = new SpringApplicationBuilder(Service.class)
                .web(WebApplicationType.NONE)
                .properties(Map.of(
                        "weighbridge.ledger.url", settings.url(),
                        "weighbridge.ledger.username", settings.username(),
                        "weighbridge.ledger.password", settings.password(),
                        "spring.main.banner-mode", "off"))
                .build();
        return application.run();
    }
}
