package io.weighbridge.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.ledger.vocabulary.ObjectType;
import io.weighbridge.ledger.vocabulary.Tier;
import io.weighbridge.wire.StartTransfers;
import io.weighbridge.wire.Transfer;
import io.weighbridge.wire.Transfers;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Payload never passes through the heap (architecture: off-heap, zero-copy, bounded in flight). */
class HeapIT {

    private static final int SIZE = 64 << 20;
    private static final int READS = 14;
    private static final long LIMIT = 100L << 20;

    private static final com.sun.management.ThreadMXBean THREADS =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    @TempDir
    private Path home;

    /** One upload, one pull and 14 reads of 64 MiB, counted over all threads but the test's. */
    @Test
    void staysFlatWhileAGibibyteMoves() throws Exception {
        try (FakeLedger ledger = new FakeLedger();
                RunningAgent source = start(ledger, "source");
                RunningAgent target = start(ledger, "target")) {
            FakeLedger.Put put = ledger.put(source, Tier.MEMORY, "w", SIZE, ObjectType.WEIGHT);
            FakeLedger.Put copy = ledger.put(target, Tier.LOCAL_DISK, "w", SIZE, ObjectType.WEIGHT);
            ledger.readable(source, put, Tier.MEMORY);
            long before = allocated();
            upload(source, put);
            pull(ledger, source, put, target, copy);
            for (int i = 0; i < READS; i++) {
                RunningAgent agent = i % 2 == 0 ? source : target;
                FakeLedger.Put read = i % 2 == 0 ? put : copy;
                try (InputStream body = agent.stream("w", ledger.lease(agent, read, Duration.ofSeconds(60)))
                        .body()) {
                    assertThat(body.transferTo(OutputStream.nullOutputStream())).isEqualTo(SIZE);
                }
            }
            assertThat(allocated() - before).isLessThan(LIMIT);
        }
    }

    private static void pull(
            FakeLedger ledger, RunningAgent source, FakeLedger.Put put, RunningAgent target, FakeLedger.Put copy)
            throws Exception {
        StartTransfers.Source from = new StartTransfers.Source(
                source.url(),
                source.nodeId(),
                put.replicaId(),
                Tier.MEMORY,
                ledger.lease(source, put, Duration.ofSeconds(10)));
        StartTransfers.Item item = new StartTransfers.Item(
                "w",
                String.valueOf(ledger.stored(put.replicaId()).digest()),
                List.of(from),
                new StartTransfers.Target(copy.replicaId(), copy.token()));
        var response = target.control("POST", "/v1/transfers", new StartTransfers(List.of(item)));
        var id = RunningAgent.read(response, Transfers.class)
                .transfers()
                .getFirst()
                .transferId();
        RunningAgent.await("the transfer ends", () -> ended(target, id.toString()));
    }

    private RunningAgent start(FakeLedger ledger, String name) throws Exception {
        return RunningAgent.start(ledger, home.resolve(name), "--weighbridge.agent.disk-bytes=100MB");
    }

    private static boolean ended(RunningAgent target, String id) {
        try {
            Transfer transfer = RunningAgent.read(target.control("GET", "/v1/transfers/" + id, ""), Transfer.class);
            assertThat(transfer.code()).as(transfer.detail()).isNull();
            return transfer.endedAt() != null;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static void upload(RunningAgent agent, FakeLedger.Put put) throws Exception {
        byte[] piece = new byte[1 << 20];
        try (Socket socket = new Socket("127.0.0.1", agent.port())) {
            OutputStream out = socket.getOutputStream();
            out.write(("PUT " + agent.content(put.key()).getRawPath() + "?key=w HTTP/1.1\r\nHost: 127.0.0.1:"
                            + agent.port() + "\r\nWrite-Token: " + put.token() + "\r\nContent-Length: " + SIZE
                            + "\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            for (int i = 0; i < SIZE >> 20; i++) {
                piece[i] = (byte) i;
                out.write(piece);
            }
            out.flush();
            byte[] answer = socket.getInputStream().readNBytes(12);
            assertThat(new String(answer, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 201");
        }
    }

    /** Bytes that live threads have allocated, but for this one and the test's HTTP client. */
    private static long allocated() {
        long sum = 0;
        long own = Thread.currentThread().threadId();
        for (var thread : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
            if (thread != null
                    && thread.getThreadId() != own
                    && !thread.getThreadName().startsWith("HttpClient")) {
                sum += Math.max(0, THREADS.getThreadAllocatedBytes(thread.getThreadId()));
            }
        }
        return sum;
    }
}
