package io.weighbridge.gateway;

import static org.springframework.cloud.gateway.support.ServerWebExchangeUtils.GATEWAY_REQUEST_URL_ATTR;

import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import java.util.UUID;
import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;
import reactor.core.publisher.Mono;

/** Sends {@code /nodes/{node_id}/rest} to {@code /rest} of that node's agent. */
final class AgentAddress implements GatewayFilter, Ordered {

    /** What the gateway puts before an agent's own paths, followed by the node's id. */
    static final String PREFIX = "/nodes/";

    private static final String NODE = AgentAddress.class.getName() + ".node";
    private static final PathPattern INTERNAL = PathPatternParser.defaultInstance.parse("/nodes/*/v1/internal/**");

    private final AgentDirectory agents;

    AgentAddress(AgentDirectory agents) {
        this.agents = agents;
    }

    /** Where the agent's paths begin at the gateway, such as {@code /nodes/{node_id}}; empty for a service's. */
    static String prefix(ServerWebExchange exchange) {
        return exchange.getAttribute(NODE) instanceof UUID node ? PREFIX + node : "";
    }

    @Override
    public int getOrder() {
        return Target.ORDER;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
        return Mono.defer(() -> {
            String path = exchange.getRequest().getURI().getRawPath();
            int slash = path.indexOf('/', PREFIX.length());
            String rest = slash < 0 ? "/" : path.substring(slash);
            UUID node = nodeId(path.substring(PREFIX.length(), slash < 0 ? path.length() : slash));
            if (INTERNAL.matches(exchange.getRequest().getPath().pathWithinApplication())) {
                throw new ProblemException(ProblemCode.NOT_FOUND, "no such resource");
            }
            return agents.address(node).flatMap(agent -> {
                exchange.getAttributes().put(NODE, node);
                exchange.getAttributes().put(GATEWAY_REQUEST_URL_ATTR, Target.at(agent, rest, exchange));
                return chain.filter(exchange);
            });
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
