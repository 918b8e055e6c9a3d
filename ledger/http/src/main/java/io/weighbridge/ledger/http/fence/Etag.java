package io.weighbridge.ledger.http.fence;

import io.weighbridge.ledger.identity.Fence;
import java.net.URI;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;

/** Answers that carry the generation as their entity tag. A GET answers 304 by itself when If-None-Match matches it. */
public final class Etag {

    private Etag() {}

    /** The header's value, such as {@code "7"} with its quotes. */
    public static String of(long generation) {
        return '"' + Long.toString(generation) + '"';
    }

    /** The {@code If-Match} value that a caller sends for this fence. */
    public static String of(Fence fence) {
        return switch (fence) {
            case Fence.Any() -> "*";
            case Fence.Exactly(long generation) -> of(generation);
        };
    }

    /** 200 with the entity tag. */
    public static <T> ResponseEntity<T> ok(long generation, T body) {
        return ResponseEntity.ok().eTag(of(generation)).body(body);
    }

    /** 201 with the entity tag. */
    public static <T> ResponseEntity<T> created(long generation, T body) {
        return ResponseEntity.status(HttpStatus.CREATED).eTag(of(generation)).body(body);
    }

    /** 202 with the location of what to look at until it is done. */
    public static <T> ResponseEntity<T> accepted(String location, T body) {
        return ResponseEntity.accepted().location(URI.create(location)).body(body);
    }
}
