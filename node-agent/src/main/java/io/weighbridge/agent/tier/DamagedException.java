package io.weighbridge.agent.tier;

import java.io.IOException;

/** Stored bytes are not the bytes that were sealed: a checksum differs or the end is missing (spec 4.2). */
public final class DamagedException extends IOException {

    private static final long serialVersionUID = 1L;

    public DamagedException(String message) {
        super(message);
    }
}
