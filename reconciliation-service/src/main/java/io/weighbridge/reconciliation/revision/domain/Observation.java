package io.weighbridge.reconciliation.revision.domain;

import io.weighbridge.ledger.key.CanonicalKeys;
import io.weighbridge.ledger.vocabulary.Availability;
import io.weighbridge.ledger.vocabulary.ObjectType;
import io.weighbridge.ledger.vocabulary.Residency;
import java.util.ArrayList;
import java.util.List;

/** What is seen of a committed revision's members (spec 1.8). metadata-service looks itself before it writes. */
record Observation(Availability availability, Residency residency) {

    static Observation of(RevisionRow row, List<Member> members) {
        return new Observation(
                isComplete(row, members) ? Availability.READY : Availability.DEGRADED, residency(members));
    }

    boolean differsFrom(RevisionRow row) {
        return availability != row.availability() || residency != row.residency();
    }

    private static Residency residency(List<Member> members) {
        if (members.stream().noneMatch(Member::isReadable)) {
            return Residency.ABSENT;
        }
        if (members.stream().allMatch(member -> member.isReadable(true))) {
            return Residency.HOT;
        }
        boolean cold = members.stream().allMatch(member -> member.isReadable(false));
        boolean anyHot = members.stream().anyMatch(member -> member.isReadable(true));
        return cold && !anyHot ? Residency.COLD : Residency.MIXED;
    }

    private static boolean isComplete(RevisionRow row, List<Member> members) {
        RevisionRow.Published published = row.published();
        if (published == null || members.size() != published.payloadCount() + 1) {
            return false;
        }
        boolean manifestFound = false;
        long bytes = 0;
        List<String> payloadKeys = new ArrayList<>();
        for (Member member : members) {
            if (!member.isReadable()) {
                return false;
            }
            if (member.key().equals(row.manifestKey())) {
                manifestFound = member.type() == ObjectType.METADATA
                        && published.manifestSha256().equals(member.digest());
            } else if (member.type() != ObjectType.WEIGHT) {
                return false;
            } else {
                bytes += member.size();
                payloadKeys.add(member.key());
            }
        }
        return manifestFound
                && bytes == published.logicalBytes()
                && CanonicalKeys.payloadKeysSha256(payloadKeys).equals(published.payloadKeysSha256());
    }
}
