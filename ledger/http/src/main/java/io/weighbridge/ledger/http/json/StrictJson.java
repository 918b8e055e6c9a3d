package io.weighbridge.ledger.http.json;

import io.weighbridge.wire.WireJson;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.type.LogicalType;

/**
 * {@link WireJson} at a network's edge: nothing is guessed. Duplicate names, coerced scalars, deep nesting and missing
 * components that are not {@code @Nullable} are refused.
 */
public final class StrictJson {

    /** Deeper than any body of the REST surface. */
    private static final int MAX_DEPTH = 32;

    private StrictJson() {}

    /** For requests: unknown fields are refused too. */
    public static JsonMapper forRequests() {
        return builder().build();
    }

    /** For answers of other services, which may be newer and say more than this process knows. */
    public static JsonMapper forAnswers() {
        return builder()
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .build();
    }

    private static JsonMapper.Builder builder() {
        JsonFactory factory = JsonFactory.builder()
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(MAX_DEPTH)
                        .build())
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .build();
        return WireJson.configure(JsonMapper.builder(factory))
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
                .withCoercionConfig(
                        LogicalType.Textual,
                        config -> config.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                                .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                                .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail))
                .annotationIntrospector(new RequiredUnlessNullable());
    }
}
