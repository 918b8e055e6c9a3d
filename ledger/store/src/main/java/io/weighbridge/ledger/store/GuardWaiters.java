package io.weighbridge.ledger.store;

import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import java.time.Duration;
import reactor.core.publisher.Mono;
import reactor.pool.InstrumentedPool;
import reactor.pool.PoolAcquireTimeoutException;
import reactor.pool.PoolBuilder;
import reactor.pool.PooledRef;

/**
 * The places for transactions that wait for guards: as many as half of the commands' connections. Who gets none as long
 * as a statement waits for a lock is BUSY, as if it had waited for the guard itself.
 */
final class GuardWaiters {

    private final InstrumentedPool<Object> places;
    private final Duration patience;

    GuardWaiters(LedgerSettings settings) {
        this.places = PoolBuilder.from(Mono.fromSupplier(Object::new))
                .sizeBetween(0, Math.max(1, settings.commandConnections() / 2))
                .buildPool();
        this.patience = settings.lockTimeout();
    }

    <T> Mono<T> admit(Mono<T> transaction) {
        Mono<PooledRef<Object>> place =
                places.acquire(patience).onErrorMap(PoolAcquireTimeoutException.class, GuardWaiters::busy);
        return Mono.usingWhen(place, taken -> transaction, PooledRef::release);
    }

    private static ProblemException busy(Throwable error) {
        ProblemException busy = new ProblemException(ProblemCode.BUSY, "others wait for what this command needs");
        busy.addSuppressed(error);
        return busy;
    }
}
