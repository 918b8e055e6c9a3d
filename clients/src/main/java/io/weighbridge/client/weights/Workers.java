package io.weighbridge.client.weights;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/** Runs tasks on a pool and stops all of them at the first failure. */
final class Workers {

    private Workers() {}

    /** The tasks' results, in the order of their ends. */
    static <T> List<T> all(ExecutorService workers, List<Callable<T>> tasks) throws IOException {
        ExecutorCompletionService<T> running = new ExecutorCompletionService<>(workers);
        List<Future<T>> futures = new ArrayList<>();
        tasks.forEach(task -> futures.add(running.submit(task)));
        try {
            List<T> results = new ArrayList<>();
            for (int i = 0; i < tasks.size(); i++) {
                results.add(running.take().get());
            }
            return results;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (ExecutionException e) {
            throw unchecked(e.getCause() == null ? e : e.getCause());
        } finally {
            futures.forEach(future -> future.cancel(true));
        }
    }

    private static RuntimeException unchecked(Throwable cause) throws IOException {
        switch (cause) {
            case IOException io -> throw io;
            case Error error -> throw error;
            case RuntimeException unchecked -> {
                return unchecked;
            }
            default -> throw new IOException(cause);
        }
    }
}
