package io.weighbridge.agent.content.application;

import io.weighbridge.wire.ContentStored;

/** How an upload request ended well. */
public sealed interface Uploaded {

    /**
     * The copy is whole and the ledger knows it.
     *
     * @param now true when this request brought it about
     */
    record Whole(ContentStored stored, boolean now) implements Uploaded {}

    /** The request's bytes are here, the copy is not whole yet: continue at {@code offset}. */
    record Partial(long offset, long size) implements Uploaded {}
}
