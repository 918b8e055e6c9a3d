package io.weighbridge.metadata.revision;

import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.metadata.revision.RunningService.Answer;
import io.weighbridge.testkit.TestLedger;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Goal: while high availability is declared and the capability not confirmed, weight mutations fail closed. */
class OplogCapabilityIT {

    @RegisterExtension
    static final TestLedger LEDGER = TestLedger.perClass();

    private static final Map<String, Object> BEGIN = Map.of(
            "namespace",
            "n",
            "resource_id",
            "r",
            "revision",
            "v",
            "weight_generation",
            1,
            "expected_payload_count",
            1,
            "expected_logical_bytes",
            1);

    @Test
    void mutationsAreRefusedAndReadsAreNot() {
        try (RunningService service = new RunningService(LEDGER, "--weighbridge.high-availability=true")) {
            Answer refused = service.post("/v1/revisions/imports").body(BEGIN).send();
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.code()).isEqualTo("DURABILITY_FAILED");
            assertThat(service.get("/v1/namespaces").send().status()).isEqualTo(200);
        }
        assertThat(LEDGER.rows("SELECT 1 FROM metadata.revision")).isEmpty();
        try (RunningService service = new RunningService(
                LEDGER,
                "--weighbridge.high-availability=true",
                "--weighbridge.weight-management-oplog-capability-confirmed=true")) {
            assertThat(service.post("/v1/revisions/imports").body(BEGIN).send().status())
                    .isEqualTo(201);
        }
    }
}
