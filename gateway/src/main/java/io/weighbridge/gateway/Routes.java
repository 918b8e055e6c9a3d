package io.weighbridge.gateway;

import static org.springframework.cloud.gateway.support.RouteMetadataUtils.RESPONSE_TIMEOUT_ATTR;

import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.weighbridge.ledger.http.calls.Calls;
import java.net.URI;
import java.time.Duration;
import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.gateway.route.builder.BooleanSpec;
import org.springframework.cloud.gateway.route.builder.Buildable;
import org.springframework.cloud.gateway.route.builder.RouteLocatorBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.server.reactive.ServerHttpRequest;

/** Which path goes where. {@code /v1/internal} goes nowhere. */
@Configuration(proxyBeanMethods = false)
class Routes {

    private static final String[] LEASE = {
        "/v1/revisions/{id}/leases",
        "/v1/revisions/{id}/manifest",
        "/v1/leases/**",
        "/v1/objects/locate",
        "/v1/pages/**",
        "/v1/read-lease-keys",
    };

    private static final String[] RECONCILIATION = {
        "/v1/reconciler/**", "/v1/engine-groups/**", "/v1/engines/**", "/v1/update-cycles/**",
    };

    private static final String[] METADATA = {
        "/v1/revisions/**",
        "/v1/operations/**",
        "/v1/objects/**",
        "/v1/nodes/**",
        "/v1/feed",
        "/v1/snapshot",
        "/v1/namespaces",
        "/v1/resources",
        "/v1/retention-policies/**",
        "/v1/quotas/**",
    };

    @Bean
    AgentDirectory agentDirectory(Calls calls, ServiceAddresses services) {
        return new AgentDirectory(
                calls.client("metadata-service", services.metadata().toString(), AgentDirectory.Nodes.class));
    }

    @Bean
    RouteLocator weighbridgeRoutes(
            RouteLocatorBuilder builder,
            ServiceAddresses services,
            GatewaySettings settings,
            CircuitBreakerRegistry breakers,
            AgentDirectory agents) {
        RouteLocatorBuilder.Builder routes = builder.routes();
        service(routes, "lease-service", services.lease(), LEASE, settings, breakers);
        service(routes, "reconciliation-service", services.reconciliation(), RECONCILIATION, settings, breakers);
        service(routes, "metadata-service", services.metadata(), METADATA, settings, breakers);
        return routes.route(
                        "node-agent",
                        path -> path.path("/nodes/{node_id}", "/nodes/{node_id}/**")
                                .filters(filters -> filters.filter(new AgentAddress(agents))
                                        .filter(new ContentLimit(settings.contentLimit()))
                                        .filter(new AnswerBody(settings.longAnswerTimeout(), settings.contentLimit()))
                                        .filter(new Resilience("node-agent", breakers, settings.longAnswerTimeout())))
                                .metadata(
                                        RESPONSE_TIMEOUT_ATTR,
                                        settings.longAnswerTimeout().toMillis())
                                .uri("http://agent.invalid"))
                .build();
    }

    /** Two routes a service: what may take long has another time limit. */
    private static void service(
            RouteLocatorBuilder.Builder routes,
            String name,
            URI uri,
            String[] paths,
            GatewaySettings settings,
            CircuitBreakerRegistry breakers) {
        routes.route(
                name + "-long",
                path -> to(
                        path.path(paths).and().predicate(exchange -> isLong(exchange.getRequest())),
                        name,
                        uri,
                        settings.longAnswerTimeout(),
                        settings,
                        breakers));
        routes.route(name, path -> to(path.path(paths), name, uri, settings.answerTimeout(), settings, breakers));
    }

    private static Buildable<Route> to(
            BooleanSpec path,
            String name,
            URI uri,
            Duration limit,
            GatewaySettings settings,
            CircuitBreakerRegistry breakers) {
        return path.filters(filters -> filters.filter(new ServiceAddress(uri))
                        .filter(new AnswerBody(settings.longAnswerTimeout(), null))
                        .filter(new Resilience(name, breakers, limit)))
                .metadata(RESPONSE_TIMEOUT_ATTR, limit.toMillis())
                .uri(uri);
    }

    private static boolean isLong(ServerHttpRequest request) {
        return request.getQueryParams().containsKey("wait_ms")
                || request.getPath().value().equals("/v1/feed")
                || request.getPath().value().equals("/v1/snapshot");
    }
}
