package io.weighbridge.metadata.revision.http;

import io.weighbridge.ledger.http.fence.IdempotencyKey;
import io.weighbridge.ledger.http.security.Caller;
import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.metadata.revision.application.RevisionHandler.Actor;
import io.weighbridge.metadata.revision.application.RevisionHandler.Once;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** What the controllers of this subject read from requests alike. */
final class Requests {

    /** The longest long poll, in milliseconds (spec 5.1). */
    static final long WAIT_MS_MAX = 60_000;

    private Requests() {}

    /** Services of this system act on everybody's revisions, all others on their tenant's. */
    static Actor actor(Caller caller) {
        return new Actor(caller.isInternal() ? null : caller.tenant(), caller.subject());
    }

    /** Whose rows a reader sees; null: everybody's. */
    static @Nullable String visibleTo(Caller caller) {
        return caller.seesAllTenants() ? null : caller.tenant();
    }

    static Duration wait(@Nullable Long waitMs) {
        if (waitMs == null) {
            return Duration.ZERO;
        }
        if (waitMs < 0 || waitMs > WAIT_MS_MAX) {
            throw new ProblemException(Problem.invalid("wait_ms", "must be 0 to " + WAIT_MS_MAX));
        }
        return Duration.ofMillis(waitMs);
    }

    /** The command under the caller's Idempotency-Key; null without one. Services have no tenant: theirs is empty. */
    static @Nullable Once once(Caller caller, @Nullable IdempotencyKey key, String command, String argument) {
        if (key == null) {
            return null;
        }
        String tenantId = caller.tenantId();
        return Once.of(
                new io.weighbridge.metadata.idempotency.IdempotencyKey(
                        tenantId == null ? "" : tenantId, caller.subject(), key.value()),
                command,
                argument);
    }

    /** Labels as {@code key:value}, of which the key has no colon. */
    static Map<String, String> labels(List<String> filters) {
        Map<String, String> labels = new LinkedHashMap<>();
        for (String filter : filters) {
            int colon = filter.indexOf(':');
            if (colon < 1) {
                throw new ProblemException(Problem.invalid("label", "must be key:value"));
            }
            labels.put(filter.substring(0, colon), filter.substring(colon + 1));
        }
        return labels;
    }

    /** What is not there answers NOT_FOUND, whether it never was or is another tenant's. */
    static <T> Mono<T> orNotFound(Mono<T> read, String what) {
        return read.switchIfEmpty(
                Mono.error(() -> new ProblemException(ProblemCode.NOT_FOUND, "there is no such " + what)));
    }
}
