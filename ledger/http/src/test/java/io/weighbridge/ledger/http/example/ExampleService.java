package io.weighbridge.ledger.http.example;

import io.weighbridge.ledger.http.HttpEdge;
import io.weighbridge.ledger.http.health.ReadinessCheck;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import reactor.core.publisher.Mono;

/** The smallest service. */
@SpringBootConfiguration(proxyBeanMethods = false)
@Import({HttpEdge.class, ExampleController.class})
public class ExampleService {

    public static SpringApplicationBuilder builder() {
        return HttpEdge.application(ExampleService.class, "weighbridge-example");
    }

    /** Starts on a free port with further properties, {@code name=value}. */
    public static ConfigurableApplicationContext start(String... properties) {
        String[] arguments = new String[properties.length + 1];
        arguments[0] = "--server.port=0";
        for (int i = 0; i < properties.length; i++) {
            arguments[i + 1] = "--" + properties[i];
        }
        return builder().run(arguments);
    }

    public static int port(ConfigurableApplicationContext context) {
        return HttpEdge.port(context);
    }

    @Bean
    ReadinessCheck scales() {
        return new ReadinessCheck() {
            @Override
            public String name() {
                return "scales";
            }

            @Override
            public Mono<Result> check() {
                return Mono.just(Result.up());
            }
        };
    }
}
