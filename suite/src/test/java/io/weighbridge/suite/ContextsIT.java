package io.weighbridge.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.suite.run.InProcessContexts;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** Goal: parts that share one virtual machine and one class path share no beans. */
class ContextsIT {

    private static final Map<String, String> ROOMS = Map.of(
            "weighbridge-metadata", "metadata",
            "weighbridge-lease", "lease",
            "weighbridge-reconciliation", "reconciliation",
            "weighbridge-agent", "agent",
            "weighbridge-gateway", "gateway");

    @Test
    void eachContextHoldsOnlyItsOwnRooms() {
        Map<String, ConfigurableApplicationContext> contexts = InProcessContexts.of(SharedSuite.get());
        assertThat(contexts.keySet()).isEqualTo(ROOMS.keySet());
        contexts.forEach((name, context) -> {
            Set<String> foreign = new TreeSet<>();
            for (String bean : context.getBeanDefinitionNames()) {
                Class<?> type = context.getType(bean);
                String room = type == null ? "" : type.getName().replaceFirst("^io\\.weighbridge\\.(\\w+)\\..*", "$1");
                if (ROOMS.containsValue(room) && !room.equals(ROOMS.get(name))) {
                    foreign.add(bean);
                }
                if (type != null
                        && !name.equals("weighbridge-gateway")
                        && type.getName().startsWith("org.springframework.cloud.gateway")) {
                    foreign.add(bean);
                }
            }
            assertThat(foreign)
                    .as(name + " of " + Arrays.toString(context.getBeanDefinitionNames()))
                    .isEmpty();
        });
    }
}
