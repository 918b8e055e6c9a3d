package io.weighbridge.gateway;

import static org.springframework.cloud.gateway.support.ServerWebExchangeUtils.GATEWAY_REQUEST_URL_ATTR;

import java.net.URI;
import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Sends a request to the same path of a service. */
final class ServiceAddress implements GatewayFilter, Ordered {

    private final URI service;

    ServiceAddress(URI service) {
        this.service = service;
    }

    @Override
    public int getOrder() {
        return Target.ORDER;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
        return Mono.defer(() -> {
            String path = exchange.getRequest().getURI().getRawPath();
            exchange.getAttributes().put(GATEWAY_REQUEST_URL_ATTR, Target.at(service, path, exchange));
            return chain.filter(exchange);
        });
    }
}
