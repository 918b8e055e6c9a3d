package io.weighbridge.lease;

import io.weighbridge.testkit.HouseRules;

class HouseRulesTest extends HouseRules {

    HouseRulesTest() {
        super("io.weighbridge.lease");
    }
}
