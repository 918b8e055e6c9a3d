package io.weighbridge.agent.transfer.application;

import io.weighbridge.agent.content.application.StoredReports;
import io.weighbridge.agent.flow.BlockingThreads;
import io.weighbridge.agent.flow.ByteBudget;
import io.weighbridge.agent.registration.Ledger;
import io.weighbridge.agent.registration.application.LedgerClock;
import io.weighbridge.agent.registration.application.WriteTokens;
import io.weighbridge.agent.transfer.Transport;
import java.util.List;

/**
 * What transfers need of the rest of the agent.
 *
 * @param transports best first
 */
public record TransferParts(
        Ledger ledger,
        LedgerClock clock,
        WriteTokens tokens,
        StoredReports reports,
        List<Transport> transports,
        ByteBudget budget,
        BlockingThreads threads) {

    /**
     * @param atOnce transfers that run at the same time
     * @param queued transfers that may wait
     * @param streams spans of one transfer that are fetched at the same time
     */
    public TransferDesk desk(int atOnce, int queued, int streams) {
        Pulling pulling = new Pulling(transports, ledger, clock, tokens, budget, streams);
        return new TransferDesk(
                clock, tokens, new TransferRun(tokens, reports, pulling, threads), new TransferQueue(queued, atOnce));
    }
}
