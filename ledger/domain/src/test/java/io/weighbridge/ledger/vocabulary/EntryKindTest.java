package io.weighbridge.ledger.vocabulary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Goal: numbers that stand in oplogs keep their meaning for ever. */
class EntryKindTest {

    @Test
    void numbersThatWereGivenOutKeepTheirMeaning() {
        String given = Arrays.stream(EntryKind.values())
                .map(kind -> kind.number() + " " + kind + " " + kind.entity())
                .sorted((a, b) -> Integer.compare(number(a), number(b)))
                .collect(Collectors.joining("\n"));
        assertThat(given).startsWith("""
                1 ImportBegun revision
                2 ImportCommitted revision
                3 ImportAborted revision
                4 ImportTakenOver revision
                5 DeleteStarted revision
                6 DeleteFinished revision
                7 OperationStarted revision
                8 OperationProgressed operation
                9 OperationFinished revision
                10 OperationCancelled revision
                11 PlacementSet revision
                12 RevisionObserved revision
                13 LeaseGranted lease
                14 LeaseReturned lease
                15 ObjectCommitted object
                16 ReplicaRetired replica
                17 NodeStateChanged node
                18 ReplicaCommitted replica""");
    }

    @Test
    void everyNumberFindsItsKind() {
        for (EntryKind kind : EntryKind.values()) {
            assertThat(EntryKind.ofNumber(kind.number())).isSameAs(kind);
        }
        assertThatIllegalArgumentException().isThrownBy(() -> EntryKind.ofNumber(0));
    }

    private static int number(String line) {
        return Integer.parseInt(line.substring(0, line.indexOf(' ')));
    }
}
