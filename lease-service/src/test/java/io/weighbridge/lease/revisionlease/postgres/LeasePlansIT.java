package io.weighbridge.lease.revisionlease.postgres;

import io.weighbridge.lease.Plans;
import io.weighbridge.testkit.TestLedger;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every statement on leases uses indexes on a large ledger. */
class LeasePlansIT {

    @RegisterExtension
    static final TestLedger LEDGER = TestLedger.perClass();

    private static final Map<String, String> PARAMETERS = parameters();

    private static Map<String, String> parameters() {
        Map<String, String> parameters = new HashMap<>();
        parameters.put("leases", "ARRAY[md5('a'), md5('b')]");
        parameters.put("priors", "ARRAY[md5('a'), md5('b')]");
        for (String texts : new String[] {"revisions", "holders", "tenants", "hashes", "subjects"}) {
            parameters.put(texts, "ARRAY['a', 'b']");
        }
        for (String numbers : new String[] {"generations", "versions", "prior_versions"}) {
            parameters.put(numbers, "ARRAY[1, 1]");
        }
        parameters.put("granted", "ARRAY[now(), now()]");
        parameters.put("expiries", "ARRAY[now(), now()]");
        parameters.put("most", "100");
        parameters.put("after", "'a'");
        parameters.put("revision", "repeat('a', 64)");
        parameters.put("tenant", "'acme'");
        return parameters;
    }

    @BeforeAll
    static void fill() {
        Plans.fill(LEDGER);
    }

    static Stream<String> statements() {
        return Stream.of(
                LeaseRows.OF_HOLDERS,
                LeaseRows.BY_ID,
                LeaseRows.WITH_REVISIONS,
                LeaseRows.TRY_GUARDS,
                LeaseRows.LONG_EXPIRED,
                LeaseRows.LIVE,
                LeaseProjection.INSERT,
                LeaseProjection.REWRITE,
                LeaseProjection.PROLONG,
                LeaseProjection.DELETE);
    }

    @ParameterizedTest
    @MethodSource("statements")
    void usesIndexes(String statement) {
        Plans.assertIndexed(LEDGER, statement, PARAMETERS);
    }
}
