package io.weighbridge.agent;

import io.weighbridge.testkit.HouseRules;

class HouseRulesTest extends HouseRules {

    HouseRulesTest() {
        super("io.weighbridge.agent");
    }
}
