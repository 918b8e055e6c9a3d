package io.weighbridge.gateway;

import io.weighbridge.ledger.http.trace.TraceContext;
import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.gateway.filter.headers.HttpHeadersFilter;
import org.springframework.http.HttpHeaders;
import org.springframework.web.server.ServerWebExchange;

/** The two headers that are not passed on as they come: the trace has one more hop, and addresses are the gateway's. */
final class PassedHeaders {

    private PassedHeaders() {}

    /** Every peer sees this hop's {@code traceparent}, also when the caller sent none. */
    static HttpHeadersFilter trace() {
        return (headers, exchange) -> {
            HttpHeaders passed = new HttpHeaders(headers);
            passed.set(TraceContext.HEADER, TraceContext.of(exchange).traceparent());
            return passed;
        };
    }

    /** A {@code Location} leads through the gateway: peers' origins are not the caller's affair. */
    static HttpHeadersFilter location() {
        return new HttpHeadersFilter() {
            @Override
            public HttpHeaders filter(HttpHeaders headers, ServerWebExchange exchange) {
                String location = headers.getFirst(HttpHeaders.LOCATION);
                String through = location == null ? null : through(location, AgentAddress.prefix(exchange));
                if (through == null) {
                    return headers;
                }
                HttpHeaders passed = new HttpHeaders(headers);
                passed.set(HttpHeaders.LOCATION, through);
                return passed;
            }

            @Override
            public boolean supports(Type type) {
                return type == Type.RESPONSE;
            }
        };
    }

    /** Null when it may stay as it is. */
    private static @Nullable String through(String location, String prefix) {
        try {
            URI uri = new URI(location);
            String path = uri.getRawPath();
            if (path == null || !path.startsWith("/") || (prefix.isEmpty() && uri.getRawAuthority() == null)) {
                return null;
            }
            return prefix + path + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery());
        } catch (URISyntaxException e) {
            return null;
        }
    }
}
