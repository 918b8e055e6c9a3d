package io.weighbridge.reconciliation;

import io.weighbridge.testkit.HouseRules;

class HouseRulesTest extends HouseRules {

    HouseRulesTest() {
        super("io.weighbridge.reconciliation");
    }
}
