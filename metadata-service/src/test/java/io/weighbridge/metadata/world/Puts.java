package io.weighbridge.metadata.world;

import io.weighbridge.ledger.vocabulary.ObjectType;
import io.weighbridge.wire.ObjectResults;
import io.weighbridge.wire.PutEnd;
import io.weighbridge.wire.PutRevoke;
import io.weighbridge.wire.PutStart;
import io.weighbridge.wire.PutStarted;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A writer's calls. */
public final class Puts {

    private final MetadataWorld world;
    private final String[] headers;

    /** @param headers names and values in turn, such as the import token */
    public Puts(MetadataWorld world, String... headers) {
        this.world = world;
        this.headers = headers;
    }

    public static PutStart.Item item(String key, long size, int copies) {
        return new PutStart.Item(key, size, ObjectType.GENERAL, null, copies, null, null);
    }

    public static PutStart.Item member(String key, long size, ObjectType type, String group) {
        return new PutStart.Item(key, size, type, group, null, null, null);
    }

    public static PutStart.Item preferring(String key, long size, UUID node) {
        return new PutStart.Item(key, size, ObjectType.GENERAL, null, null, node, null);
    }

    public List<PutStarted.Item> start(List<PutStart.Item> items) {
        return world.post("/v1/objects/put-start", new PutStart(items), headers)
                .as(PutStarted.class)
                .items();
    }

    public PutStarted.Item start(PutStart.Item item) {
        return start(List.of(item)).getFirst();
    }

    public PutStarted.Item start(String key, long size, int copies) {
        return start(item(key, size, copies));
    }

    /** A put that was started. */
    public record Begun(String key, String token, List<PutStarted.Target> targets) {}

    /** Starts a put that must not be refused. */
    public Begun begin(PutStart.Item item) {
        return begun(start(item));
    }

    public Begun begin(String key, long size, int copies) {
        return begin(item(key, size, copies));
    }

    /** The start of an answer that must not be a refusal. */
    public static Begun begun(PutStarted.Item started) {
        String token = started.writeToken();
        if (token == null) {
            throw new AssertionError(started);
        }
        return new Begun(started.key(), token, started.targets());
    }

    public List<ObjectResults.Item> end(List<PutEnd.Item> items) {
        return world.post("/v1/objects/put-end", new PutEnd(items), headers)
                .as(ObjectResults.class)
                .items();
    }

    public ObjectResults.Item end(String key, String token, @Nullable Long size, @Nullable String digest) {
        return end(List.of(new PutEnd.Item(key, token, size, digest))).getFirst();
    }

    public ObjectResults.Item revoke(String key, String token) {
        return world.post("/v1/objects/put-revoke", new PutRevoke(List.of(new PutRevoke.Item(key, token))), headers)
                .as(ObjectResults.class)
                .items()
                .getFirst();
    }
}
