package io.weighbridge.metadata;

import io.weighbridge.testkit.HouseRules;

class HouseRulesTest extends HouseRules {

    HouseRulesTest() {
        super("io.weighbridge.metadata");
    }
}
