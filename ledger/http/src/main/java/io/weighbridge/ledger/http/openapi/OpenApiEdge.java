package io.weighbridge.ledger.http.openapi;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.swagger.v3.core.jackson.ModelResolver;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.info.License;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.security.SecurityRequirement;
import io.swagger.v3.oas.models.security.SecurityScheme;
import io.weighbridge.ledger.http.fence.IdempotencyKey;
import io.weighbridge.ledger.http.paging.PageRequest;
import io.weighbridge.ledger.http.security.Caller;
import io.weighbridge.ledger.identity.Fence;
import io.weighbridge.ledger.identity.RevisionId;
import java.util.Locale;
import org.springdoc.core.configuration.SpringDocConfiguration;
import org.springdoc.core.customizers.GlobalOpenApiCustomizer;
import org.springdoc.core.customizers.GlobalOperationCustomizer;
import org.springdoc.core.customizers.JavadocPropertyCustomizer;
import org.springdoc.core.properties.SpringDocConfigProperties;
import org.springdoc.core.providers.JavadocProvider;
import org.springdoc.core.providers.ObjectMapperProvider;
import org.springdoc.core.providers.SpringDocJavadocProvider;
import org.springdoc.core.utils.SpringDocUtils;
import org.springdoc.webflux.api.OpenApiWebfluxResource;
import org.springdoc.webflux.core.configuration.SpringDocWebFluxConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Serves the document of a service; {@code weighbridge.openapi.enabled=false} spares its beans. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty(name = "weighbridge.openapi.enabled", matchIfMissing = true)
@ImportAutoConfiguration({
    SpringDocConfigProperties.class,
    SpringDocConfiguration.class,
    SpringDocWebFluxConfiguration.class
})
public class OpenApiEdge {

    private static final MediaType YAML = MediaType.parseMediaType("application/yaml");
    private static final String SCHEME = "bearer";

    static {
        SpringDocUtils.getConfig()
                .addRequestWrapperToIgnore(Caller.class, Fence.class, PageRequest.class, IdempotencyKey.class)
                .replaceWithSchema(RevisionId.class, new StringSchema().pattern("[0-9a-f]{64}"))
                .replaceWithSchema(DataBuffer.class, new StringSchema().format("binary"));
    }

    @Bean
    OpenAPI openApi(Environment environment) {
        return new OpenAPI()
                .info(new Info()
                        .title(environment.getProperty("spring.application.name", "weighbridge"))
                        .version("v1")
                        .license(new License().name("Apache-2.0").identifier("Apache-2.0")))
                .addSecurityItem(new SecurityRequirement().addList(SCHEME))
                .components(new Components()
                        .addSecuritySchemes(
                                SCHEME,
                                new SecurityScheme()
                                        .type(SecurityScheme.Type.HTTP)
                                        .scheme("bearer")
                                        .description("JWT or opaque token; none on loopback without an issuer")));
    }

    /** First in the list is last in the chain: it resolves what the others adorn. */
    @Bean
    @Order(Ordered.HIGHEST_PRECEDENCE)
    ModelResolver wireModels(ObjectMapperProvider mappers) {
        return WireModels.resolver(mappers.jsonMapper());
    }

    @Bean
    GlobalOperationCustomizer edgeArguments() {
        return new EdgeArguments();
    }

    @Bean
    GlobalOperationCustomizer documentedAnswers() {
        return new DocumentedAnswers();
    }

    @Bean
    GlobalOpenApiCustomizer sharedRefusals() {
        return new SharedRefusals();
    }

    /** Arrays have no Javadoc; the library asserts so instead of saying so. */
    @Bean
    SpringDocJavadocProvider javadoc() {
        return new SpringDocJavadocProvider() {
            @Override
            public String getClassJavadoc(Class<?> type) {
                return type.isArray() ? "" : super.getClassJavadoc(type);
            }
        };
    }

    @Bean
    JavadocPropertyCustomizer classDescriptions(JavadocProvider javadoc, ObjectMapperProvider mappers) {
        return new JavadocPropertyCustomizer(javadoc, mappers);
    }

    @Bean
    RecordDescriptions recordDescriptions(JavadocProvider javadoc) {
        return new RecordDescriptions(javadoc);
    }

    @Bean
    RouterFunction<ServerResponse> openApiRoutes(OpenApiWebfluxResource springdoc) {
        return RouterFunctions.route()
                .GET(
                        OpenApiDocument.YAML_PATH,
                        request -> document(springdoc, request)
                                .flatMap(document ->
                                        ServerResponse.ok().contentType(YAML).bodyValue(document.yaml())))
                .GET(
                        OpenApiDocument.JSON_PATH,
                        request -> document(springdoc, request)
                                .flatMap(document -> ServerResponse.ok()
                                        .contentType(MediaType.APPLICATION_JSON)
                                        .bodyValue(document.json())))
                .build();
    }

    /** Reading all controllers by reflection takes its time: not on an event loop. */
    private static Mono<OpenApiDocument> document(OpenApiWebfluxResource springdoc, ServerRequest request) {
        return Mono.defer(() -> {
                    try {
                        return springdoc.openapiJson(
                                request.exchange().getRequest(), OpenApiDocument.JSON_PATH, Locale.ENGLISH);
                    } catch (JsonProcessingException e) {
                        return Mono.error(e);
                    }
                })
                .subscribeOn(Schedulers.boundedElastic())
                .map(OpenApiDocument::parse);
    }
}
