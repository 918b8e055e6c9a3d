package io.weighbridge.suite.run;

import java.util.HashMap;
import java.util.Map;
import org.springframework.context.ConfigurableApplicationContext;

/** Looks into a suite that runs in this process. */
public final class InProcessContexts {

    private InProcessContexts() {}

    /** The Spring contexts by application name; one agent stands for all. */
    public static Map<String, ConfigurableApplicationContext> of(RunningSuite suite) {
        Map<String, ConfigurableApplicationContext> contexts = new HashMap<>();
        for (Part part : suite.parts()) {
            ConfigurableApplicationContext context = ((InProcess) part).context();
            contexts.put(context.getEnvironment().getRequiredProperty("spring.application.name"), context);
        }
        return contexts;
    }
}
