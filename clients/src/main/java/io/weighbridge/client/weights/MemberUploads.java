package io.weighbridge.client.weights;

import io.weighbridge.client.rest.AgentClient;
import io.weighbridge.client.rest.GatewayClient;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.ledger.vocabulary.ObjectType;
import io.weighbridge.wire.ContentStored;
import io.weighbridge.wire.ObjectResults;
import io.weighbridge.wire.PutEnd;
import io.weighbridge.wire.PutStart;
import io.weighbridge.wire.PutStarted;
import io.weighbridge.wire.RevisionView;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Puts the members of one importing revision: start, bytes to the agents, end, in batches. */
final class MemberUploads {

    /** Objects in one put-start and one put-end. */
    private static final int BATCH = 32;

    /** Write tokens live for two minutes at least; at 8 MiB/s a batch of this size is through well before that. */
    private static final long BATCH_BYTES = 512L << 20;

    private final GatewayClient gateway;
    private final AgentClient agents;
    private final PublishOptions options;
    private final Progress progress;
    private final ExecutorService workers;
    private final RevisionView revision;
    private final String importToken;

    MemberUploads(
            GatewayClient gateway,
            PublishOptions options,
            Progress progress,
            ExecutorService workers,
            RevisionView revision,
            String importToken) {
        this.gateway = gateway;
        this.agents = new AgentClient(gateway.rest());
        this.options = options;
        this.progress = progress;
        this.workers = workers;
        this.revision = revision;
        this.importToken = importToken;
    }

    /** What is complete already with the same digest, from a publication that broke off, is skipped. */
    void put(List<Upload> uploads) throws IOException {
        long limit = BATCH_BYTES / Math.max(1, options.placement().memoryReplicas());
        List<Upload> batch = new ArrayList<>();
        long bytes = 0;
        for (Upload upload : uploads) {
            if (!batch.isEmpty() && (batch.size() == BATCH || bytes + upload.size() > limit)) {
                batch(batch);
                batch.clear();
                bytes = 0;
            }
            batch.add(upload);
            bytes += upload.size();
        }
        if (!batch.isEmpty()) {
            batch(batch);
        }
    }

    private void batch(List<Upload> uploads) throws IOException {
        List<PutStart.Item> items = uploads.stream().map(this::item).toList();
        List<PutStarted.Item> started =
                Patience.with(() -> gateway.putStart(items, importToken)).items();
        List<Callable<Boolean>> tasks = new ArrayList<>();
        List<PutEnd.Item> ends = new ArrayList<>();
        for (int i = 0; i < uploads.size(); i++) {
            Upload upload = uploads.get(i);
            PutStarted.Item put = started.get(i);
            if (put.code() == ProblemCode.ALREADY_EXISTS) {
                requireSame(upload);
                progress.advance(upload.payloadBytes());
                continue;
            }
            String token = requireStarted(put);
            ends.add(new PutEnd.Item(upload.key(), token, upload.size(), upload.digest()));
            tasks.add(() -> {
                for (PutStarted.Target target : put.targets()) {
                    send(upload, target, token);
                }
                progress.advance(upload.payloadBytes());
                return true;
            });
        }
        Workers.all(workers, tasks);
        if (!ends.isEmpty()) {
            Patience.with(() -> requireEnded(gateway.putEnd(ends)));
        }
    }

    private PutStart.Item item(Upload upload) {
        return new PutStart.Item(
                upload.key(),
                upload.size(),
                upload.type(),
                revision.payloadGroupId(),
                options.placement().memoryReplicas(),
                options.preferredNode(),
                upload.type() == ObjectType.METADATA ? PutStart.Pin.HARD : PutStart.Pin.NONE);
    }

    private static String requireStarted(PutStarted.Item put) {
        String token = put.writeToken();
        if (put.code() != null || token == null) {
            throw refusal(put.code(), put.key(), put.detail());
        }
        return token;
    }

    private static boolean requireEnded(ObjectResults results) {
        for (ObjectResults.Item item : results.items()) {
            if (item.code() != null) {
                throw refusal(item.code(), item.key(), item.detail());
            }
        }
        return true;
    }

    /** Another content under this key means that this identity is burnt: it needs a higher weight generation. */
    private void requireSame(Upload upload) {
        ObjectResults.Item existing = Patience.with(() -> gateway.exists(List.of(upload.key())))
                .items()
                .getFirst();
        if (!upload.digest().equals(existing.digest())) {
            throw new ProblemException(
                    ProblemCode.CONFLICT,
                    upload.key() + " is there with another content, or another writer is at work on it");
        }
    }

    /** Sends to one target and goes on where a broken connection left it. */
    private void send(Upload upload, PutStarted.Target target, String token) {
        AtomicLong attempts = new AtomicLong();
        ContentStored stored = Patience.with(() -> {
            long offset = attempts.getAndIncrement() == 0 ? 0 : agents.uploadOffset(target.url(), upload.key(), token);
            return agents.upload(target.url(), upload.key(), token, offset, body(upload, offset));
        });
        if (!stored.digest().equals(upload.digest())) {
            throw new ProblemException(
                    ProblemCode.CHECKSUM_MISMATCH,
                    upload.key() + ": the agent stored " + stored.digest() + ", the file had " + upload.digest()
                            + "; it changed meanwhile, or the bytes were damaged on the way");
        }
    }

    private static BodyPublisher body(Upload upload, long offset) {
        long length = upload.size() - offset;
        return length == 0
                ? BodyPublishers.noBody()
                : BodyPublishers.fromPublisher(
                        BodyPublishers.ofInputStream(() -> upload.bytes().apply(offset)), length);
    }

    private static ProblemException refusal(@Nullable ProblemCode code, String key, @Nullable String detail) {
        return new ProblemException(code == null ? ProblemCode.INTERNAL : code, key + ": " + detail);
    }
}
