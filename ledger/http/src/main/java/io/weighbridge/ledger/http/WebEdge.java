package io.weighbridge.ledger.http;

import io.weighbridge.ledger.http.fence.FenceArgument;
import io.weighbridge.ledger.http.fence.IdempotencyKeyArgument;
import io.weighbridge.ledger.http.paging.PageRequestArgument;
import io.weighbridge.ledger.http.security.CallerArgument;
import io.weighbridge.ledger.identity.RevisionId;
import org.springframework.context.annotation.Configuration;
import org.springframework.format.FormatterRegistry;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.reactive.result.method.annotation.ArgumentResolverConfigurer;

/** What controllers may take as arguments beyond Spring's own. */
@Configuration(proxyBeanMethods = false)
class WebEdge implements WebFluxConfigurer {

    @Override
    public void configureArgumentResolvers(ArgumentResolverConfigurer configurer) {
        configurer.addCustomResolver(
                new CallerArgument(), new FenceArgument(), new PageRequestArgument(), new IdempotencyKeyArgument());
    }

    @Override
    public void addFormatters(FormatterRegistry registry) {
        registry.addConverter(String.class, RevisionId.class, RevisionId::new);
    }
}
