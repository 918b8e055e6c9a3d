package io.weighbridge.gateway;

import io.weighbridge.testkit.HouseRules;

class HouseRulesTest extends HouseRules {

    HouseRulesTest() {
        super("io.weighbridge.gateway");
    }
}
