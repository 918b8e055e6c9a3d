package io.weighbridge.ledger.http.health;

import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** A bean that says whether one thing a service needs is there. {@code /readyz} asks all of them. */
public interface ReadinessCheck {

    /**
     * What a check found.
     *
     * @param detail for a person, without secrets
     */
    record Result(boolean ready, @Nullable String detail) {

        public static Result up() {
            return new Result(true, null);
        }

        public static Result down(String detail) {
            return new Result(false, detail);
        }
    }

    /** The component's name, such as {@code ledger}; unique within the service. */
    String name();

    /** Asks now. An error or two seconds of silence count as down. */
    Mono<Result> check();

    /**
     * A check by what stands in the way.
     *
     * @param obstacle asks each time: a word for a person, or empty when ready
     */
    static ReadinessCheck of(String name, Supplier<Mono<Optional<String>>> obstacle) {
        return new ReadinessCheck() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Mono<Result> check() {
                return obstacle.get().map(found -> found.map(Result::down).orElseGet(Result::up));
            }
        };
    }
}
