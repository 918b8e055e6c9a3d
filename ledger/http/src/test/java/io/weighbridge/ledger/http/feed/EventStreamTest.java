package io.weighbridge.ledger.http.feed;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.http.codec.ServerSentEvent;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

/** Events with ids, comments where nothing happens, an end where the feed ends. */
class EventStreamTest {

    @Test
    void silenceIsFilledWithComments() {
        TestPublisher<String> feed = TestPublisher.create();
        StepVerifier.withVirtualTime(() -> EventStream.of(feed.flux(), entry -> entry))
                .expectSubscription()
                .expectNoEvent(Duration.ofMillis(14_999))
                .thenAwait(Duration.ofMillis(1))
                .assertNext(event -> assertThat(event.comment()).isEqualTo("heartbeat"))
                .then(() -> feed.next("a"))
                .assertNext(event -> {
                    assertThat(event.id()).isEqualTo("a");
                    assertThat(event.data()).isEqualTo("a");
                })
                .then(feed::complete)
                .expectComplete()
                .verify(Duration.ofSeconds(10));
    }

    @Test
    void aReaderWhoGoesAwayEndsTheFeed() {
        TestPublisher<String> feed = TestPublisher.create();
        StepVerifier.create(EventStream.of(feed.flux(), entry -> entry))
                .then(() -> feed.next("a"))
                .expectNextCount(1)
                .thenCancel()
                .verify(Duration.ofSeconds(10));
        feed.assertCancelled();
    }

    @Test
    void aFailedFeedFailsItsReaders() {
        StepVerifier.create(EventStream.of(Flux.<String>error(new IllegalStateException("no more")), entry -> entry)
                        .map(ServerSentEvent::id))
                .verifyErrorMessage("no more");
    }
}
