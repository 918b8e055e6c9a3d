package io.weighbridge.ledger.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;

/** Goal: after a batch's error single transactions are tried only where they can help. */
class GroupCommitTest {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @ParameterizedTest
    @CsvSource({"UNAVAILABLE, UNAVAILABLE, 0", "DURABILITY_FAILED, DURABILITY_FAILED, 0", "BUSY, done, 1"})
    void aFailedBatch(ProblemCode error, String answer, int singles) {
        AtomicInteger alone = new AtomicInteger();
        GroupCommit<String, String> commit = new GroupCommit<>(
                GroupCommit.Limits.DEFAULT,
                commands -> Mono.error(new ProblemException(error, "the batch failed")),
                command -> {
                    alone.incrementAndGet();
                    return Mono.just("done");
                });
        assertThat(commit.submit("command")
                        .onErrorResume(
                                ProblemException.class,
                                refusal -> Mono.just(refusal.problem().code().name()))
                        .block(PATIENCE))
                .isEqualTo(answer);
        assertThat(alone).hasValue(singles);
    }
}
