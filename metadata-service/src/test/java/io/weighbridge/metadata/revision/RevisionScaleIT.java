package io.weighbridge.metadata.revision;

import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.ledger.identity.RevisionIdentity;
import io.weighbridge.metadata.revision.RunningService.Answer;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Goal: a revision of real size, one object per tensor of Mixtral 8x22B, goes through in bounded time (printed). */
class RevisionScaleIT extends RevisionWorld {

    private static final int PAYLOADS = 1739;

    private interface Step {
        Answer run();
    }

    private static Answer timed(String name, Step step) {
        long begun = System.nanoTime();
        Answer answer = step.run();
        System.out.println(name + " of " + (PAYLOADS + 1) + " members: "
                + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun) + " ms");
        return answer;
    }

    @Test
    void aMixtralIsCommittedAndSeen() {
        RevisionIdentity identity = fresh();
        begun(identity, PAYLOADS);
        arranged.members(identity, PAYLOADS);
        assertThat(timed("commit, first", () -> commit(identity, 1, PAYLOADS)).status())
                .isEqualTo(200);
        for (int i = 0; i < 3; i++) {
            assertThat(timed(
                                    "observe",
                                    () -> service.post("/v1/internal/revisions/" + identity.id() + "/observe")
                                            .as(RunningService.INTERNAL)
                                            .body(Map.of("claim_epoch", 1))
                                            .send())
                            .status())
                    .isEqualTo(200);
            Answer situation = timed(
                    "situation",
                    () -> service.get("/v1/internal/revisions/" + identity.id() + "/situation")
                            .as(RunningService.INTERNAL)
                            .send());
            assertThat(situation.body().path("members").size()).isEqualTo(PAYLOADS + 1);
        }
        assertThat(row(identity)).containsEntry("metadata_generation", 2L);
    }
}
