package io.weighbridge.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.json.JsonMapper;

/** The one JSON configuration of servers and callers. */
public final class WireJson {

    private WireJson() {}

    /** Applies the conventions of spec 5.1: {@code snake_case}, unknown fields refused, absent for null. */
    public static JsonMapper.Builder configure(JsonMapper.Builder builder) {
        return builder.propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                .changeDefaultPropertyInclusion(include -> include.withValueInclusion(JsonInclude.Include.NON_NULL))
                .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .disable(DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS);
    }

    /** A mapper with these conventions. */
    public static JsonMapper newMapper() {
        return configure(JsonMapper.builder()).build();
    }
}
