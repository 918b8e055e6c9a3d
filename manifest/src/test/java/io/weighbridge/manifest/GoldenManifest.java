package io.weighbridge.manifest;

import io.weighbridge.ledger.identity.RevisionIdentity;
import io.weighbridge.manifest.StoredWeightManifest.Fragment;
import io.weighbridge.manifest.StoredWeightManifest.PayloadObject;
import io.weighbridge.manifest.StoredWeightManifest.Tensor;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** One small manifest that has everything a manifest can have, as records and as bytes written by hand. */
final class GoldenManifest {

    static final RevisionIdentity IDENTITY = new RevisionIdentity("default", "production", "llama-70b", "step-100", 7);

    static final String OBJECT_0 = "weights/production/llama-70b/step-100/7/payload/00000";
    static final String OBJECT_1 = "weights/production/llama-70b/step-100/7/payload/00001";
    private static final String DIGEST_0 = "0a7cc6d30456fcec0991fcf65f9290b6457950344d983ff5ba81cfaf2d327412";
    private static final String DIGEST_1 = "632e9a448546202196717394a6f591b324a637064c0eb70201ece8a1bfb13c63";

    /** The canonical bytes, written by hand, without a line end. */
    static final String JSON = resource("/golden/manifest-v1.json");

    private GoldenManifest() {}

    /** The same content, its lists in another order. */
    static StoredWeightManifest manifest() {
        return new StoredWeightManifest(
                IDENTITY,
                Instant.parse("2026-01-31T23:59:59.120999Z"),
                List.of(new PayloadObject(OBJECT_1, 16, DIGEST_1), new PayloadObject(OBJECT_0, 20, DIGEST_0)),
                List.of(
                        Tensor.of("scalar", Dtype.I64, List.of()),
                        new Tensor("layers.0.experts.1.w", Dtype.F32, List.of(3L), 0L, 1L, null, null),
                        new Tensor("head", Dtype.BF16, List.of(4L, 2L), null, null, null, "embed"),
                        new Tensor("embed", Dtype.BF16, List.of(4L, 2L), null, null, List.of(1L), null),
                        Tensor.of("empty", Dtype.U8, List.of(0L, 5L))),
                List.of(
                        new Fragment("scalar", List.of(), List.of(), OBJECT_1, 8, 8),
                        new Fragment("embed", List.of(2L, 0L), List.of(2L, 2L), OBJECT_1, 0, 8),
                        new Fragment("embed", List.of(0L, 0L), List.of(2L, 2L), OBJECT_0, 0, 8),
                        new Fragment("layers.0.experts.1.w", List.of(0L), List.of(3L), OBJECT_0, 8, 12)),
                Map.of("step", "100", "é", "", "note", "a \"b\"\n"));
    }

    private static String resource(String name) {
        try (InputStream in = GoldenManifest.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
