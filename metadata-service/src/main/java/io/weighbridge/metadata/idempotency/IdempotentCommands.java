package io.weighbridge.metadata.idempotency;

import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.ledger.store.LedgerTransaction;
import io.weighbridge.metadata.idempotency.postgres.IdempotencyTable;
import io.weighbridge.metadata.idempotency.postgres.IdempotencyTable.Kept;
import io.weighbridge.wire.WireJson;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** Lets a command with an Idempotency-Key take effect once, and tells its repetitions the same outcome (spec 1.5). */
public final class IdempotentCommands {

    private final JsonMapper json = WireJson.newMapper();
    private final IdempotencyTable table;

    public IdempotentCommands(IdempotencyTable table) {
        this.table = table;
    }

    /**
     * Runs the work unless the key has been used. Called inside the command's transaction, after its guards and before
     * its fence is looked at.
     *
     * @param key null: the caller sent none, and the work just runs
     * @param digest of the command without its fence; another one under the same key is CONFLICT
     * @param work its value is kept as the outcome, as JSON, and must hold no token; empty or refused: nothing is kept
     * @return the work's value, or the kept outcome; BUSY while a twin is at work
     */
    public <T> Mono<T> once(
            LedgerTransaction tx, @Nullable IdempotencyKey key, String digest, Class<T> outcomeType, Mono<T> work) {
        if (key == null) {
            return work;
        }
        Mono<T> first = Mono.defer(() ->
                work.flatMap(outcome -> table.keep(tx, key, new Kept(digest, json.writeValueAsString(outcome)))
                        .thenReturn(outcome)));
        return table.lock(tx, key)
                .flatMap(held -> held
                        ? table.find(tx, key)
                        : Mono.<Kept>error(new ProblemException(
                                ProblemCode.BUSY, "another request with this Idempotency-Key is in progress")))
                .map(kept -> outcome(kept, digest, outcomeType))
                .switchIfEmpty(first);
    }

    private <T> T outcome(Kept kept, String digest, Class<T> type) {
        if (!kept.digest().equals(digest)) {
            throw new ProblemException(ProblemCode.CONFLICT, "this Idempotency-Key was used for a different command");
        }
        return json.readValue(kept.outcome(), type);
    }
}
