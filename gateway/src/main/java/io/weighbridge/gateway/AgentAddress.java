package io.weighbridge.gateway;

import static org.springframework.cloud.gateway.support.ServerWebExchangeUtils.GATEWAY_REQUEST_URL_ATTR;

import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import java.net.URI;
import java.util.UUID;
import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.RouteToRequestUrlFilter;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.util.UriComponentsBuilder;
import reactor.core.publisher.Mono;

/** Sends {@code /nodes/{node_id}/rest} to {@code /rest} of that node's agent. */
final class AgentAddress implements GatewayFilter {

    /** After the route's own address was set, which this one replaces. */
    static final int ORDER = RouteToRequestUrlFilter.ROUTE_TO_URL_FILTER_ORDER + 1;

    private static final String PREFIX = "/nodes/";

    private final AgentDirectory agents;

    AgentAddress(AgentDirectory agents) {
        this.agents = agents;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
        String path = exchange.getRequest().getURI().getRawPath();
        int slash = path.indexOf('/', PREFIX.length());
        String rest = slash < 0 ? "/" : path.substring(slash);
        return agents.address(nodeId(path.substring(PREFIX.length(), slash < 0 ? path.length() : slash)))
                .flatMap(agent -> {
                    URI target = UriComponentsBuilder.fromUri(agent)
                            .replacePath(rest)
                            .replaceQuery(exchange.getRequest().getURI().getRawQuery())
                            .build(true)
                            .toUri();
                    exchange.getAttributes().put(GATEWAY_REQUEST_URL_ATTR, target);
                    return chain.filter(exchange);
                });
    }

    private static UUID nodeId(String text) {
        try {
            UUID id = UUID.fromString(text);
            if (id.toString().equals(text)) {
                return id;
            }
        } catch (IllegalArgumentException e) {
            // Told below.
        }
        throw new ProblemException(ProblemCode.NOT_FOUND, "not a node's id");
    }
}
