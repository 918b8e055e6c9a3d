package io.weighbridge.client.rest;

import io.weighbridge.wire.ContentStored;
import java.io.InputStream;
import java.net.http.HttpRequest.BodyPublisher;
import java.time.Duration;

/** Payload bytes to and from node agents (spec 5.2). */
public final class AgentClient {

    private static final String CONTENT = "/v1/objects/content";

    /** A gibibyte at 1 MiB/s, and then some. */
    private static final Duration TRANSFER_TIMEOUT = Duration.ofMinutes(20);

    private final Rest rest;

    public AgentClient(Rest rest) {
        this.rest = rest;
    }

    /** Sends the bytes from an offset to the end; answers after the ledger knows that they are stored. */
    public ContentStored upload(String agent, String key, String writeToken, long offset, BodyPublisher bytes) {
        return rest.call("PUT", agent, CONTENT)
                .query("key", key)
                .query("offset", offset)
                .header("Write-Token", writeToken)
                .content(bytes)
                .timeout(TRANSFER_TIMEOUT)
                .as(ContentStored.class);
    }

    /** How many bytes of a broken-off upload the agent has. */
    public long uploadOffset(String agent, String key, String writeToken) {
        return rest.call("HEAD", agent, CONTENT)
                .query("key", key)
                .header("Write-Token", writeToken)
                .open()
                .headers()
                .firstValueAsLong("Upload-Offset")
                .orElse(0);
    }

    /**
     * Opens a range of an object.
     *
     * @param length at least 1
     */
    public InputStream read(String agent, String key, String readLease, long offset, long length) {
        return rest.call("GET", agent, CONTENT)
                .query("key", key)
                .header("Read-Lease", readLease)
                .header("Range", "bytes=" + offset + "-" + (offset + length - 1))
                .timeout(TRANSFER_TIMEOUT)
                .open()
                .body();
    }

    /** Opens a whole object, which may be empty. */
    public InputStream readAll(String agent, String key, String readLease) {
        return rest.call("GET", agent, CONTENT)
                .query("key", key)
                .header("Read-Lease", readLease)
                .timeout(TRANSFER_TIMEOUT)
                .open()
                .body();
    }
}
