package io.weighbridge.agent.transfer.application;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Jobs that wait, by tenant; whose turn it is goes round, so that no tenant's many hold up another's few. */
final class TransferQueue {

    private final int capacity;
    private final int atOnce;
    private final Map<String, Deque<TransferJob>> waiting = new LinkedHashMap<>();
    private int size;
    private int running;

    TransferQueue(int capacity, int atOnce) {
        this.capacity = capacity;
        this.atOnce = atOnce;
    }

    /** False when the queue is full. */
    synchronized boolean offer(String tenant, TransferJob job) {
        if (size >= capacity) {
            return false;
        }
        waiting.computeIfAbsent(tenant, t -> new ArrayDeque<>()).add(job);
        size++;
        return true;
    }

    /** The next job that may run now; whoever takes it calls {@link #ended} at its end. */
    synchronized Optional<TransferJob> next() {
        Iterator<Map.Entry<String, Deque<TransferJob>>> turns =
                waiting.entrySet().iterator();
        if (running >= atOnce || !turns.hasNext()) {
            return Optional.empty();
        }
        Map.Entry<String, Deque<TransferJob>> turn = turns.next();
        String tenant = turn.getKey();
        Deque<TransferJob> jobs = turn.getValue();
        TransferJob job = jobs.remove();
        turns.remove();
        if (!jobs.isEmpty()) {
            waiting.put(tenant, jobs);
        }
        size--;
        running++;
        return Optional.of(job);
    }

    synchronized void ended() {
        running--;
    }

    synchronized int size() {
        return size;
    }

    synchronized int running() {
        return running;
    }
}
