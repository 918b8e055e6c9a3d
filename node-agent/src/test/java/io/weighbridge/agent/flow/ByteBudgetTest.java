package io.weighbridge.agent.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;

class ByteBudgetTest {

    @Test
    void letsOthersWaitInLine() {
        ByteBudget budget = new ByteBudget(10);
        List<ByteBudget.Permit> held = new ArrayList<>();
        budget.acquire(6).subscribe(permit -> held.add(permit.hold()));
        budget.acquire(6).subscribe(permit -> held.add(permit.hold()));
        budget.acquire(1).subscribe(permit -> held.add(permit.hold()));
        assertThat(held).hasSize(1);
        held.getFirst().close();
        held.getFirst().close();
        assertThat(held).hasSize(3);
        assertThat(budget.free()).isEqualTo(3);
        held.forEach(ByteBudget.Permit::close);
        assertThat(budget.free()).isEqualTo(10);
    }

    @Test
    void grantsMoreThanThereIsAsAll() {
        ByteBudget budget = new ByteBudget(10);
        List<ByteBudget.Permit> held = new ArrayList<>();
        budget.acquire(1000).subscribe(permit -> held.add(permit.hold()));
        assertThat(held).hasSize(1);
        assertThat(budget.free()).isZero();
    }

    @Test
    void forgetsWhoStopsWaiting() {
        ByteBudget budget = new ByteBudget(10);
        List<ByteBudget.Permit> held = new ArrayList<>();
        budget.acquire(10).subscribe(permit -> held.add(permit.hold()));
        Disposable impatient = budget.acquire(10).subscribe(permit -> held.add(permit.hold()));
        budget.acquire(3).subscribe(permit -> held.add(permit.hold()));
        impatient.dispose();
        held.getFirst().close();
        assertThat(held).hasSize(2);
        assertThat(budget.free()).isEqualTo(7);
    }

    @Test
    void losesNothingInARace() throws Exception {
        ByteBudget budget = new ByteBudget(100);
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<Future<?>> ends = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                Random random = new Random(i);
                ends.add(threads.submit(() -> {
                    for (int round = 0; round < 3000; round++) {
                        Disposable waiting = budget.acquire(1 + random.nextInt(60))
                                .subscribe(permit -> permit.hold().close());
                        if (random.nextBoolean()) {
                            waiting.dispose();
                        }
                    }
                }));
            }
            for (Future<?> end : ends) {
                end.get();
            }
        }
        assertThat(budget.free()).isEqualTo(100);
    }
}
