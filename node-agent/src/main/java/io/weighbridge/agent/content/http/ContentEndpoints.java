package io.weighbridge.agent.content.http;

import io.weighbridge.ledger.http.security.PublicPaths;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The endpoints of content. */
@Configuration(proxyBeanMethods = false)
@Import(ContentController.class)
public class ContentEndpoints {

    /** Capabilities guard the bytes: whoever has a token or lease got it from the ledger (spec 5.3). */
    @Bean
    PublicPaths contentPaths() {
        return new PublicPaths(List.of("/v1/objects/content"));
    }
}
