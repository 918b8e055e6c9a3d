package io.weighbridge.gateway;

import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.gateway.filter.RouteToRequestUrlFilter;
import org.springframework.web.server.ServerWebExchange;

/** The address to which a request goes on: path and query byte for byte as they came, so that keys arrive unharmed. */
final class Target {

    /** After the gateway's own idea of the address, which decodes and encodes again. */
    static final int ORDER = RouteToRequestUrlFilter.ROUTE_TO_URL_FILTER_ORDER + 1;

    private Target() {}

    /**
     * The request's query at another place.
     *
     * @param base a peer's base URL
     * @param rawPath begins with a slash
     * @throws ProblemException INVALID_ARGUMENT for bytes that no URL may have
     */
    static URI at(URI base, String rawPath, ServerWebExchange exchange) {
        @Nullable String rawQuery = exchange.getRequest().getURI().getRawQuery();
        String rest = rawQuery == null ? rawPath : rawPath + "?" + rawQuery;
        if (rest.chars().anyMatch(c -> c <= ' ' || c >= 0x7f)) {
            throw new ProblemException(ProblemCode.INVALID_ARGUMENT, "the URL has characters that are not encoded");
        }
        String origin = base.toString();
        return URI.create(origin.endsWith("/") ? origin.substring(0, origin.length() - 1) + rest : origin + rest);
    }
}
