package io.weighbridge.ledger.http.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weighbridge.wire.BeginImport;
import io.weighbridge.wire.HeartbeatAnswer;
import io.weighbridge.wire.Keys;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** What the wire records say about themselves holds when they are read. */
class StrictJsonTest {

    private final JsonMapper requests = StrictJson.forRequests();

    @Test
    void nullableComponentsMayBeNullOrAbsent() {
        assertThat(requests.readValue("{\"keys\":[\"a\"],\"force\":null}", Keys.class))
                .isEqualTo(new Keys(List.of("a"), null, null));
    }

    @Test
    void emptyObjectsMissTheirFirstRequiredComponent() {
        assertThatThrownBy(() -> requests.readValue("{}", BeginImport.class))
                .isInstanceOfSatisfying(
                        JacksonException.class,
                        e -> assertThat(JsonProblems.of(e).detail()).isEqualTo("namespace: is missing"));
    }

    @Test
    void valuesOfMapsMustBeThere() {
        String body = """
                {"namespace":"n","resource_id":"r","revision":"1","weight_generation":1,"expected_payload_count":1,
                 "expected_logical_bytes":1,"labels":{"a":null}}""";
        assertThatThrownBy(() -> requests.readValue(body, BeginImport.class))
                .isInstanceOfSatisfying(
                        JacksonException.class,
                        e -> assertThat(JsonProblems.of(e).detail()).isEqualTo("labels.a: is missing"));
    }

    @Test
    void aNewerServiceMaySayMore() {
        assertThat(StrictJson.forAnswers().readValue("{\"keys\":[],\"novelty\":{\"a\":1}}", Keys.class))
                .isEqualTo(new Keys(List.of(), null, null));
        assertThatThrownBy(() -> StrictJson.forAnswers().readValue("{}", HeartbeatAnswer.class))
                .isInstanceOf(JacksonException.class);
    }
}
