package io.weighbridge.reconciliation.revision.domain;

import io.weighbridge.ledger.key.CanonicalKeys;
import io.weighbridge.ledger.vocabulary.Availability;
import io.weighbridge.ledger.vocabulary.NodeState;
import io.weighbridge.ledger.vocabulary.ObjectType;
import io.weighbridge.ledger.vocabulary.OperationKind;
import io.weighbridge.ledger.vocabulary.Residency;
import io.weighbridge.ledger.vocabulary.SegmentState;
import io.weighbridge.ledger.vocabulary.Tier;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Situations in a short notation.
 *
 * <p>Members: {@code p1: M@a D~@b, manifest: M@a}; M memory, D disk; nothing readable, {@code !} unreadable, {@code ?}
 * returning, {@code ~} moving, {@code x} abandoned. Every member has {@link #SIZE} bytes.
 *
 * <p>Nodes: {@code a b! c?}; {@code !} dead, {@code ?} suspect; {@code b(m0)} without free memory, {@code (d0)} without
 * free disk, {@code (md)} memory draining, {@code (z1)} in zone z1. Otherwise each has room for ten members.
 */
final class Scene {

    static final long SIZE = 100;
    static final String MANIFEST = "manifest";
    private static final Pattern COPY = Pattern.compile("([MD])([!?~x]?)@([a-z])");
    private static final Pattern NODE = Pattern.compile("([a-z])([!?]?)((?:\\([a-z0-9]+\\))*)");

    Availability availability = Availability.READY;
    Residency residency = Residency.HOT;
    Residency lastTarget = Residency.HOT;
    OperationKind operation = OperationKind.NONE;
    boolean automatic;
    long leases;
    long generation = 7;
    long processed;

    @Nullable
    String cursor;

    @Nullable
    Duration heartbeatAge;

    Wanted wanted = new Wanted(1, 0, null, Map.of());
    List<Member> members = new ArrayList<>();
    List<Host> hosts = new ArrayList<>();
    Set<UUID> shunned = new HashSet<>();

    static UUID node(String name) {
        return id("node " + name);
    }

    static UUID copy(String member, String text) {
        return id(member + " " + text.replaceAll("[!?~x]", ""));
    }

    static UUID segment(String node, Tier tier) {
        return id(node + tier);
    }

    static UUID id(String name) {
        return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
    }

    Scene members(String text) {
        for (String part : text.split(",")) {
            String[] sides = part.strip().split(":", 2);
            String key = sides[0].strip();
            List<Copy> copies = new ArrayList<>();
            Matcher matcher = COPY.matcher(sides[1]);
            while (matcher.find()) {
                Tier tier = matcher.group(1).equals("M") ? Tier.MEMORY : Tier.LOCAL_DISK;
                copies.add(new Copy(
                        copy(key, matcher.group()),
                        node(matcher.group(3)),
                        segment(matcher.group(3), tier),
                        tier,
                        state(matcher.group(2))));
            }
            members.add(new Member(
                    key,
                    key.equals(MANIFEST) ? ObjectType.METADATA : ObjectType.WEIGHT,
                    SIZE,
                    "digest of " + key,
                    copies));
        }
        return this;
    }

    Scene nodes(String text) {
        Matcher matcher = NODE.matcher(text);
        while (matcher.find()) {
            String name = matcher.group(1);
            String flags = matcher.group(3);
            NodeState state = switch (matcher.group(2)) {
                case "!" -> NodeState.DEAD;
                case "?" -> NodeState.SUSPECT;
                default -> NodeState.LIVE;
            };
            Matcher zone = Pattern.compile("\\(z(\\d)\\)").matcher(flags);
            hosts.add(new Host(
                    node(name),
                    state,
                    zone.find() ? Map.of("zone", zone.group(1)) : Map.of(),
                    List.of(
                            new Host.Room(
                                    segment(name, Tier.MEMORY),
                                    Tier.MEMORY,
                                    flags.contains("(md)") ? SegmentState.DRAINING : SegmentState.MOUNTED,
                                    flags.contains("(m0)") ? SIZE - 1 : 10 * SIZE),
                            new Host.Room(
                                    segment(name, Tier.LOCAL_DISK),
                                    Tier.LOCAL_DISK,
                                    SegmentState.MOUNTED,
                                    flags.contains("(d0)") ? SIZE - 1 : 10 * SIZE))));
        }
        return this;
    }

    Scene want(int memory, int cold, String... nodes) {
        Set<UUID> allowed = new HashSet<>();
        for (String node : nodes) {
            allowed.add(node(node));
        }
        wanted = new Wanted(memory, cold, nodes.length == 0 ? null : allowed, Map.of());
        return this;
    }

    RevisionSituation situation() {
        List<String> payloads = members.stream()
                .map(Member::key)
                .filter(key -> !key.equals(MANIFEST))
                .toList();
        boolean committed = availability != Availability.IMPORTING;
        RevisionRow row = new RevisionRow(
                availability,
                residency,
                generation,
                MANIFEST,
                committed
                        ? new RevisionRow.Published(
                                "digest of " + MANIFEST,
                                CanonicalKeys.payloadKeysSha256(payloads),
                                payloads.size(),
                                SIZE * payloads.size(),
                                1)
                        : null,
                wanted,
                lastTarget,
                null);
        ActiveOperation active = operation == OperationKind.NONE
                ? null
                : new ActiveOperation(id("operation"), operation, automatic, processed, cursor);
        return new RevisionSituation(
                row, active, leases, heartbeatAge, members, RevisionSituation.byId(hosts), shunned);
    }

    private static CopyState state(String mark) {
        return switch (mark) {
            case "!" -> CopyState.UNREADABLE;
            case "?" -> CopyState.RETURNING;
            case "~" -> CopyState.MOVING;
            case "x" -> CopyState.ABANDONED;
            default -> CopyState.READABLE;
        };
    }
}
