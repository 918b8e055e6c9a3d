package io.weighbridge.agent.config;

import io.weighbridge.agent.registration.application.AdvertisedUrl;
import io.weighbridge.agent.registration.application.NodeLife;
import io.weighbridge.ledger.http.HttpEdge;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.web.server.Ssl;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;

/** Begins the agent's life with the ledger once it listens, since only then its address is known. */
@Configuration(proxyBeanMethods = false)
class AgentStart {

    private final AgentSettings settings;
    private final Environment environment;
    private final AdvertisedUrl url = new AdvertisedUrl();

    AgentStart(AgentSettings settings, Environment environment) {
        this.settings = settings;
        this.environment = environment;
    }

    @Bean
    AdvertisedUrl advertisedUrl() {
        return url;
    }

    /** As the server decides it: {@code server.ssl.*} with anything in it switches TLS on. */
    static String scheme(Environment environment) {
        Ssl ssl = Binder.get(environment).bind("server.ssl", Ssl.class).orElse(null);
        return Ssl.isEnabled(ssl) ? "https" : "http";
    }

    @EventListener
    void listening(ApplicationReadyEvent event) {
        String advertised = settings.advertisedUrl();
        if (advertised == null) {
            String address = environment.getProperty("server.address", "127.0.0.1");
            advertised = scheme(environment) + "://" + address + ":" + HttpEdge.port(event.getApplicationContext());
        }
        url.set(advertised);
        event.getApplicationContext().getBean(NodeLife.class).start(advertised);
    }
}
