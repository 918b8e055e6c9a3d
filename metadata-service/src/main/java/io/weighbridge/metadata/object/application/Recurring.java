package io.weighbridge.metadata.object.application;

import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Work that every instance does again and again while the service runs; one failure only costs its own turn. */
public final class Recurring implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(Recurring.class);

    private final String name;
    private final Duration every;
    private final Supplier<Mono<Void>> work;
    private volatile @Nullable Disposable running;

    /**
     * @param name in log lines: what is left undone
     * @param every the pause between turns
     */
    public Recurring(String name, Duration every, Supplier<Mono<Void>> work) {
        this.name = name;
        this.every = every;
        this.work = work;
    }

    @Override
    public void start() {
        running = Flux.interval(every)
                .onBackpressureDrop()
                .concatMap(
                        turn -> Mono.defer(work).onErrorResume(error -> {
                            LOG.warn("{} waits for its next turn: {}", name, error.toString());
                            return Mono.empty();
                        }),
                        1)
                .subscribe();
    }

    @Override
    public void stop() {
        Disposable turns = running;
        if (turns != null) {
            turns.dispose();
            running = null;
        }
    }

    @Override
    public boolean isRunning() {
        return running != null;
    }
}
