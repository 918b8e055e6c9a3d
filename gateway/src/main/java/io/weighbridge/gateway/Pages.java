package io.weighbridge.gateway;

import io.weighbridge.ledger.http.security.PublicPaths;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.util.DigestUtils;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.webjars.WebJarVersionLocator;
import reactor.core.publisher.Mono;

/** What the gateway itself answers: dashboard, merged document and Swagger UI, from memory and with strict CSP. */
@Configuration(proxyBeanMethods = false)
class Pages {

    private static final String STRICT =
            "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'";

    /** Swagger UI sets styles and shows images of its own making. */
    private static final String SWAGGER = STRICT + "; style-src 'self' 'unsafe-inline'; img-src 'self' data:";

    private static final MediaType JAVASCRIPT = MediaType.parseMediaType("text/javascript;charset=utf-8");
    private static final MediaType CSS = MediaType.parseMediaType("text/css;charset=utf-8");
    private static final MediaType HTML = MediaType.parseMediaType("text/html;charset=utf-8");
    private static final MediaType SVG = MediaType.parseMediaType("image/svg+xml");
    private static final MediaType YAML = MediaType.parseMediaType("application/yaml");

    private record Page(String path, MediaType type, String policy, byte[] bytes, String etag) {}

    private final List<Page> pages = new ArrayList<>();

    Pages() {
        own("/", HTML, "index.html", STRICT);
        own("/dashboard/dashboard.css", CSS, "dashboard.css", STRICT);
        own("/dashboard/dashboard.js", JAVASCRIPT, "dashboard.js", STRICT);
        own("/dashboard/icon.svg", SVG, "icon.svg", STRICT);
        own("/swagger-ui.html", HTML, "swagger-ui.html", SWAGGER);
        own("/swagger-ui/start.js", JAVASCRIPT, "swagger-ui.js", SWAGGER);
        String webjar = "META-INF/resources/webjars/swagger-ui/" + new WebJarVersionLocator().version("swagger-ui");
        add("/swagger-ui/swagger-ui.css", CSS, webjar + "/swagger-ui.css", SWAGGER);
        add("/swagger-ui/swagger-ui-bundle.js", JAVASCRIPT, webjar + "/swagger-ui-bundle.js", SWAGGER);
        byte[] document = read("openapi/weighbridge.yaml");
        add("/openapi.yaml", YAML, STRICT, document);
        add("/openapi.json", MediaType.APPLICATION_JSON, STRICT, MergedDocument.json(document));
    }

    @Bean
    PublicPaths publicPages() {
        return new PublicPaths(pages.stream().map(Page::path).toList());
    }

    @Bean
    RouterFunction<ServerResponse> pageRoutes() {
        RouterFunctions.Builder routes = RouterFunctions.route();
        pages.forEach(page -> routes.GET(page.path(), request -> answer(request, page)));
        return routes.build();
    }

    private static Mono<ServerResponse> answer(ServerRequest request, Page page) {
        return request.checkNotModified(page.etag())
                .switchIfEmpty(ServerResponse.ok()
                        .contentType(page.type())
                        .eTag(page.etag())
                        .cacheControl(CacheControl.noCache())
                        .header("Content-Security-Policy", page.policy())
                        .header("Referrer-Policy", "no-referrer")
                        .bodyValue(page.bytes()));
    }

    private void own(String path, MediaType type, String file, String policy) {
        add(path, type, "io/weighbridge/gateway/pages/" + file, policy);
    }

    private void add(String path, MediaType type, String resource, String policy) {
        add(path, type, policy, read(resource));
    }

    private void add(String path, MediaType type, String policy, byte[] bytes) {
        pages.add(new Page(path, type, policy, bytes, '"' + DigestUtils.md5DigestAsHex(bytes) + '"'));
    }

    private static byte[] read(String resource) {
        try (InputStream in = new ClassPathResource(resource).getInputStream()) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("the gateway lacks its own file " + resource, e);
        }
    }
}
