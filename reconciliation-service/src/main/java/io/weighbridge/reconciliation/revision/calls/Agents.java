package io.weighbridge.reconciliation.revision.calls;

import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.bulkhead.BulkheadFullException;
import io.github.resilience4j.reactor.bulkhead.operator.BulkheadOperator;
import io.weighbridge.ledger.http.calls.CallLimits;
import io.weighbridge.ledger.http.calls.Calls;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.wire.StartTransfers;
import io.weighbridge.wire.Transfers;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import reactor.core.publisher.Mono;

/**
 * The agents of all nodes. Each has a circuit breaker, a time limit and a bulkhead of its own: an agent that hangs
 * holds a few looks for a few seconds, and no others.
 */
public final class Agents {

    private static final int CALLS_AT_A_TIME = 8;
    private static final CallLimits LIMITS = new CallLimits(Duration.ofSeconds(1), Duration.ofSeconds(5), 1);

    private record Agent(String url, AgentCalls calls, Bulkhead bulkhead) {}

    private final Calls calls;
    private final ConcurrentMap<UUID, Agent> agents = new ConcurrentHashMap<>();

    public Agents(Calls calls) {
        this.calls = calls;
    }

    /** Lets a node pull copies. */
    public Mono<Transfers> start(UUID nodeId, String url, StartTransfers transfers) {
        Agent agent = agent(nodeId, url);
        return bounded(agent, agent.calls().start(transfers));
    }

    /** What a node is pulling, and what it has pulled lately. */
    public Mono<Transfers> list(UUID nodeId, String url) {
        Agent agent = agent(nodeId, url);
        return bounded(agent, agent.calls().list());
    }

    private Agent agent(UUID nodeId, String url) {
        return agents.compute(
                nodeId, (id, known) -> known != null && known.url().equals(url) ? known : connect(id, url));
    }

    private Agent connect(UUID nodeId, String url) {
        String name = "agent " + nodeId;
        Bulkhead bulkhead = Bulkhead.of(
                name,
                BulkheadConfig.custom().maxConcurrentCalls(CALLS_AT_A_TIME).build());
        return new Agent(url, calls.client(name, url, AgentCalls.class, LIMITS), bulkhead);
    }

    private static <T> Mono<T> bounded(Agent agent, Mono<T> call) {
        return call.transformDeferred(BulkheadOperator.of(agent.bulkhead()))
                .onErrorMap(
                        BulkheadFullException.class,
                        full -> new ProblemException(ProblemCode.BUSY, "too many calls of one agent at a time"));
    }
}
