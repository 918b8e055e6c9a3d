package io.weighbridge.gateway;

import io.weighbridge.testkit.HouseRules;
import io.weighbridge.testkit.rules.Excuse;
import io.weighbridge.testkit.rules.Rule;
import java.util.List;

class HouseRulesTest extends HouseRules {

    HouseRulesTest() {
        super("io.weighbridge.gateway");
    }

    @Override
    protected List<Excuse> excused() {
        return List.of(new Excuse(Rule.HTTP_STATUS, "Resilience", "the router tells its time-outs as HTTP statuses"));
    }
}
