package io.weighbridge.ledger.http.trace;

import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.web.server.ServerWebExchange;
import reactor.util.context.ContextView;

/**
 * One hop of a W3C trace: {@code traceparent} without vendors' state. Its ids need not be unguessable.
 *
 * @param traceId 32 hexadecimal digits, the same through all hops
 * @param spanId 16 hexadecimal digits, of this hop
 * @param flags two hexadecimal digits
 */
public record TraceContext(String traceId, String spanId, String flags) {

    /** The header's name. */
    public static final String HEADER = "traceparent";

    /** The name in log lines. */
    public static final String MDC_KEY = "trace_id";

    /** The key in Reactor's context. */
    public static final String CONTEXT_KEY = "weighbridge.trace";

    private static final String ATTRIBUTE = TraceContext.class.getName();
    private static final Pattern TRACEPARENT =
            Pattern.compile("(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?");

    /** A trace that begins here. */
    public static TraceContext begin() {
        return new TraceContext(randomHex() + randomHex(), randomHex(), "00");
    }

    /** This process's hop of the caller's trace, or of a new one when the header is absent or malformed. */
    public static TraceContext continued(@Nullable String traceparent) {
        Matcher matcher = TRACEPARENT.matcher(traceparent == null ? "" : traceparent);
        return matcher.matches() ? new TraceContext(matcher.group(1), randomHex(), matcher.group(3)) : begin();
    }

    /** The trace of a request; begun here if no filter saw it. */
    public static TraceContext of(ServerWebExchange exchange) {
        return (TraceContext) exchange.getAttributes()
                .computeIfAbsent(
                        ATTRIBUTE,
                        key -> continued(exchange.getRequest().getHeaders().getFirst(HEADER)));
    }

    /** The trace of a reactive pipeline, where there is one. */
    public static Optional<TraceContext> of(ContextView context) {
        return context.getOrEmpty(CONTEXT_KEY);
    }

    /** The header for the next hop. */
    public String traceparent() {
        return "00-" + traceId + "-" + spanId + "-" + flags;
    }

    private static String randomHex() {
        long bits = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
        return HexFormat.of().toHexDigits(bits);
    }
}
