package io.weighbridge.agent.config;

import io.weighbridge.agent.flow.BlockingThreads;
import io.weighbridge.agent.flow.ByteBudget;
import io.weighbridge.agent.registration.Ledger;
import io.weighbridge.agent.registration.application.LedgerClock;
import io.weighbridge.agent.registration.application.NodeIdentity;
import io.weighbridge.agent.registration.application.NodeKeys;
import io.weighbridge.agent.registration.application.NodeLife;
import io.weighbridge.agent.registration.application.ReadLeases;
import io.weighbridge.agent.registration.application.ReportQueue;
import io.weighbridge.agent.registration.application.WriteTokens;
import io.weighbridge.agent.registration.calls.HttpLedger;
import io.weighbridge.agent.registration.http.NodeEndpoints;
import io.weighbridge.agent.tier.Segment;
import io.weighbridge.agent.tier.Segments;
import io.weighbridge.agent.tier.disk.DiskTier;
import io.weighbridge.agent.tier.memory.MemoryTier;
import io.weighbridge.ledger.http.calls.Calls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The agent's parts. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({AgentSettings.class, ServiceUrls.class})
@Import({
    ServerTuning.class,
    AgentStart.class,
    NodeEndpoints.class,
    ContentConfiguration.class,
    TransferConfiguration.class
})
public class AgentConfiguration {

    /** All 128 bits are random: ids of nodes and segments must not meet. */
    private static Supplier<UUID> randomIds() {
        SecureRandom random = new SecureRandom();
        return () -> new UUID(random.nextLong(), random.nextLong());
    }

    @Bean(destroyMethod = "dispose")
    BlockingThreads blockingThreads(AgentSettings settings) {
        return new BlockingThreads(settings.threads());
    }

    @Bean
    ByteBudget bytesInFlight(AgentSettings settings) {
        return new ByteBudget(settings.maxBytesInFlight().toBytes());
    }

    @Bean
    LedgerClock ledgerClock() {
        return new LedgerClock(System::nanoTime);
    }

    @Bean
    StateFolder stateFolder(AgentSettings settings) throws IOException {
        Path directory = settings.stateDir() != null ? settings.stateDir() : settings.diskDir();
        return StateFolder.open(directory, randomIds());
    }

    @Bean
    NodeIdentity nodeIdentity(AgentSettings settings, StateFolder state) throws IOException {
        String bootId =
                Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).trim();
        return new NodeIdentity(state.nodeId(), randomIds().get(), bootId, settings.labels());
    }

    @Bean(destroyMethod = "close")
    SegmentOwner segmentOwner(AgentSettings settings, StateFolder state, BlockingThreads threads) throws IOException {
        List<Segment> segments = new ArrayList<>();
        try {
            long memory = settings.memoryBytes().toBytes();
            if (memory > 0) {
                segments.add(
                        MemoryTier.open(state.memorySegmentId(), randomIds().get(), memory));
            }
            if (settings.diskDir() != null) {
                segments.add(DiskTier.open(
                        settings.diskDir(), settings.diskBytes().toBytes(), randomIds(), threads::execute));
            }
        } catch (IOException | RuntimeException e) {
            segments.forEach(Segment::close);
            throw e;
        }
        return new SegmentOwner(segments);
    }

    /** Closes the segments after everything that uses them. */
    record SegmentOwner(List<Segment> segments) implements AutoCloseable {
        @Override
        public void close() {
            segments.forEach(Segment::close);
        }
    }

    @Bean
    Segments segments(SegmentOwner owner) {
        return new Segments(owner.segments());
    }

    @Bean
    Ledger ledger(Calls calls, ServiceUrls urls) {
        return new HttpLedger(calls, urls.metadataUrl(), urls.leaseUrl());
    }

    @Bean
    NodeKeys nodeKeys(NodeIdentity identity, Ledger ledger) {
        return new NodeKeys(identity.nodeId(), ledger);
    }

    @Bean
    WriteTokens writeTokens(NodeKeys keys, LedgerClock clock, Segments segments) {
        return new WriteTokens(keys, clock, segments);
    }

    @Bean
    ReadLeases readLeases(NodeKeys keys, LedgerClock clock, Segments segments) {
        return new ReadLeases(keys, clock, segments);
    }

    @Bean(destroyMethod = "stop")
    ReportQueue reportQueue(NodeIdentity identity, Ledger ledger) {
        return new ReportQueue(identity, ledger);
    }

    @Bean(destroyMethod = "stop")
    NodeLife nodeLife(NodeIdentity identity, NodeLife.Parts parts, BlockingThreads threads) {
        return new NodeLife(identity, parts, threads);
    }

    @Bean
    NodeLife.Parts nodeLifeParts(
            Ledger ledger,
            Segments segments,
            LedgerClock clock,
            NodeKeys keys,
            WriteTokens tokens,
            ReportQueue reports) {
        return new NodeLife.Parts(ledger, segments, clock, keys, tokens, reports);
    }
}
