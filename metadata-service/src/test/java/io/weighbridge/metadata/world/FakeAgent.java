package io.weighbridge.metadata.world;

import io.weighbridge.ledger.key.Sha256;
import io.weighbridge.ledger.store.Randomness;
import io.weighbridge.ledger.vocabulary.Tier;
import io.weighbridge.wire.ExtentPage;
import io.weighbridge.wire.Heartbeat;
import io.weighbridge.wire.HeartbeatAnswer;
import io.weighbridge.wire.RegisterNode;
import io.weighbridge.wire.RegisteredNode;
import io.weighbridge.wire.ReportResults;
import io.weighbridge.wire.Reports;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.LongStream;

/** Makes the calls that an agent would make, without any payload. */
public final class FakeAgent {

    private final MetadataWorld world;
    private final UUID nodeId;
    private final String subject;
    private final String token;
    private final Map<UUID, RegisterNode.Segment> segments = new LinkedHashMap<>();
    private final Map<String, String> labels = new LinkedHashMap<>();
    private UUID incarnation = Randomness.id();

    FakeAgent(MetadataWorld world, UUID nodeId, String subject, String token) {
        this.world = world;
        this.nodeId = nodeId;
        this.subject = subject;
        this.token = token;
    }

    public UUID nodeId() {
        return nodeId;
    }

    public UUID incarnation() {
        return incarnation;
    }

    public String subject() {
        return subject;
    }

    public String url() {
        return "http://127.0.0.1:1/" + subject;
    }

    public FakeAgent label(String name, String value) {
        labels.put(name, value);
        return this;
    }

    /** Offers one more segment from the next registration on. */
    public FakeAgent offer(Tier tier, long capacity) {
        UUID id = Randomness.id();
        segments.put(id, new RegisterNode.Segment(id, tier, Randomness.id(), capacity));
        return this;
    }

    public UUID segment(Tier tier) {
        return segments.values().stream()
                .filter(segment -> segment.tier() == tier)
                .map(RegisterNode.Segment::segmentId)
                .findFirst()
                .orElseThrow();
    }

    /** The same agent started again; memory arenas are new, disks are the same. */
    public FakeAgent restarted() {
        incarnation = Randomness.id();
        segments.replaceAll((id, segment) -> segment.tier() == Tier.MEMORY
                ? new RegisterNode.Segment(id, segment.tier(), Randomness.id(), segment.capacity())
                : segment);
        return this;
    }

    /** The same agent, calling another start of the service. */
    public FakeAgent in(MetadataWorld other) {
        FakeAgent same = new FakeAgent(other, nodeId, subject, token);
        same.segments.putAll(segments);
        same.incarnation = incarnation;
        return same;
    }

    /** Sends this older incarnation's calls on. */
    public FakeAgent as(UUID olderIncarnation) {
        FakeAgent zombie = new FakeAgent(world, nodeId, subject, token);
        zombie.segments.putAll(segments);
        zombie.incarnation = olderIncarnation;
        return zombie;
    }

    public MetadataWorld.Answer tryRegister() {
        return world.post(
                "/v1/nodes",
                new RegisterNode(nodeId, incarnation, url(), labels, "boot-" + subject, List.copyOf(segments.values())),
                authorization());
    }

    public RegisteredNode register() {
        return tryRegister().as(RegisteredNode.class);
    }

    public FakeAgent mountAll() {
        segments.keySet().forEach(this::mount);
        return this;
    }

    /** Mounts, unmounts or drains as this start of the agent. */
    public MetadataWorld.Answer ask(UUID segmentId, String verb) {
        return world.post(
                "/v1/nodes/" + nodeId + "/segments/" + segmentId + "/" + verb + "?agent_incarnation=" + incarnation,
                null,
                authorization());
    }

    public void mount(UUID segmentId) {
        MetadataWorld.Answer answer = ask(segmentId, "mount");
        if (answer.status() != 200) {
            throw new AssertionError(answer.body());
        }
    }

    /** Registers, mounts everything and sends one heartbeat: LIVE. */
    public FakeAgent join() {
        register();
        mountAll();
        heartbeat();
        return this;
    }

    public MetadataWorld.Answer tryHeartbeat(long ioFailures) {
        List<Heartbeat.Segment> views = segments.keySet().stream()
                .map(id -> new Heartbeat.Segment(id, 0, ioFailures))
                .toList();
        return world.post("/v1/nodes/" + nodeId + "/heartbeat", new Heartbeat(incarnation, views), authorization());
    }

    public HeartbeatAnswer heartbeat() {
        return tryHeartbeat(0).as(HeartbeatAnswer.class);
    }

    public List<ExtentPage.Extent> extents(UUID segmentId) {
        return world.get("/v1/nodes/" + nodeId + "/segments/" + segmentId + "/extents", authorization())
                .as(ExtentPage.class)
                .extents();
    }

    public MetadataWorld.Answer tryReport(Reports.Item... items) {
        return world.post(
                "/v1/nodes/" + nodeId + "/reports", new Reports(incarnation, Arrays.asList(items)), authorization());
    }

    /** The status of each report, in order. */
    public List<Integer> report(Reports.Item... items) {
        return tryReport(items).as(ReportResults.class).items().stream()
                .map(ReportResults.Item::status)
                .toList();
    }

    public List<Integer> report(List<Reports.Item> items) {
        return report(items.toArray(Reports.Item[]::new));
    }

    public static Reports.Item opened(UUID replicaId, String writeToken) {
        return new Reports.Item(replicaId, writeToken, Reports.Event.OPENED, null, null, null);
    }

    public static Reports.Item stored(UUID replicaId, String writeToken, long size, String digest) {
        List<Long> crc =
                LongStream.range(0, (size + (4 << 20) - 1) / (4 << 20)).boxed().toList();
        return new Reports.Item(replicaId, writeToken, Reports.Event.STORED, size, digest, new ArrayList<>(crc));
    }

    public static Reports.Item of(UUID replicaId, Reports.Event event) {
        return new Reports.Item(replicaId, null, event, null, null, null);
    }

    /** Some digest that is the same for the same text. */
    public static String digest(String text) {
        return Sha256.hex(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The header of this agent's credential. */
    public String[] authorization() {
        return new String[] {"Authorization", "Bearer " + token};
    }
}
