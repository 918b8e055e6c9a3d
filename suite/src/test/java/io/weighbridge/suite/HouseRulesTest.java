package io.weighbridge.suite;

import io.weighbridge.testkit.HouseRules;
import io.weighbridge.testkit.rules.Excuse;
import io.weighbridge.testkit.rules.Rule;
import java.util.List;

class HouseRulesTest extends HouseRules {

    HouseRulesTest() {
        super("io.weighbridge.suite");
    }

    @Override
    protected List<Excuse> excused() {
        return List.of(new Excuse(Rule.BLOCKING, "HttpLoad", "a benchmark's own thread waits for its clients"));
    }
}
