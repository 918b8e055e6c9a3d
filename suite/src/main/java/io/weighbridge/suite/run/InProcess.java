package io.weighbridge.suite.run;

import io.weighbridge.ledger.http.HttpEdge;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.springframework.context.ConfigurableApplicationContext;

/** A part as a Spring context of its own in this process. */
final class InProcess implements Part {

    private final ConfigurableApplicationContext context;

    private InProcess(ConfigurableApplicationContext context) {
        this.context = context;
    }

    static InProcess start(Role role, List<String> arguments, Map<String, String> secrets) {
        List<String> all = new ArrayList<>(arguments);
        secrets.forEach((name, secret) -> all.add("--" + name + "=" + secret));
        // The suite stops its parts in order; a hook of each would stop them all at once.
        return new InProcess(role.application().registerShutdownHook(false).run(all.toArray(String[]::new)));
    }

    ConfigurableApplicationContext context() {
        return context;
    }

    @Override
    public String url() {
        return "http://127.0.0.1:" + HttpEdge.port(context);
    }

    @Override
    public void close() {
        context.close();
    }
}
