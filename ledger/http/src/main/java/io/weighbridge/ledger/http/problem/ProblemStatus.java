package io.weighbridge.ledger.http.problem;

import io.weighbridge.ledger.problem.ProblemCode;
import java.util.EnumMap;
import java.util.Map;

/** The one table from refusals to HTTP statuses (spec 5.1). */
public final class ProblemStatus {

    private static final Map<Integer, ProblemCode> CODES = Map.ofEntries(
            Map.entry(400, ProblemCode.INVALID_ARGUMENT),
            Map.entry(401, ProblemCode.UNAUTHENTICATED),
            Map.entry(403, ProblemCode.PERMISSION_DENIED),
            Map.entry(404, ProblemCode.NOT_FOUND),
            Map.entry(405, ProblemCode.METHOD_NOT_ALLOWED),
            Map.entry(406, ProblemCode.NOT_ACCEPTABLE),
            Map.entry(408, ProblemCode.DEADLINE_EXCEEDED),
            Map.entry(409, ProblemCode.CONFLICT),
            Map.entry(410, ProblemCode.LEASE_EXPIRED),
            Map.entry(412, ProblemCode.STALE_GENERATION),
            Map.entry(413, ProblemCode.PAYLOAD_TOO_LARGE),
            Map.entry(414, ProblemCode.INVALID_ARGUMENT),
            Map.entry(415, ProblemCode.UNSUPPORTED_MEDIA_TYPE),
            Map.entry(416, ProblemCode.RANGE_NOT_SATISFIABLE),
            Map.entry(422, ProblemCode.UNSUPPORTED),
            Map.entry(423, ProblemCode.BUSY),
            Map.entry(428, ProblemCode.PRECONDITION_REQUIRED),
            Map.entry(429, ProblemCode.RATE_LIMITED),
            Map.entry(502, ProblemCode.UNAVAILABLE),
            Map.entry(503, ProblemCode.UNAVAILABLE),
            Map.entry(504, ProblemCode.DEADLINE_EXCEEDED),
            Map.entry(507, ProblemCode.NO_SPACE));

    private ProblemStatus() {}

    /** The HTTP status of an answer, or of a batch's item, that is refused with this code. */
    public static int of(ProblemCode code) {
        return switch (code) {
            case INVALID_ARGUMENT -> 400;
            case UNAUTHENTICATED -> 401;
            case PERMISSION_DENIED -> 403;
            case NOT_FOUND -> 404;
            case METHOD_NOT_ALLOWED -> 405;
            case NOT_ACCEPTABLE -> 406;
            case CONFLICT,
                    ALREADY_EXISTS,
                    NOT_READY,
                    NOT_COMMITTED,
                    MANAGED_GROUP,
                    STALE_TOKEN,
                    STALE_INCARNATION,
                    POISONED,
                    GENERATION_EXHAUSTED -> 409;
            case LEASE_EXPIRED, FEED_RESET -> 410;
            case STALE_GENERATION -> 412;
            case PAYLOAD_TOO_LARGE -> 413;
            case UNSUPPORTED_MEDIA_TYPE -> 415;
            case RANGE_NOT_SATISFIABLE -> 416;
            case COVERAGE_FAILED, CHECKSUM_MISMATCH, UNSUPPORTED -> 422;
            case BUSY -> 423;
            case PRECONDITION_REQUIRED -> 428;
            case RATE_LIMITED -> 429;
            case INTERNAL -> 500;
            case DURABILITY_FAILED, UNAVAILABLE -> 503;
            case DEADLINE_EXCEEDED -> 504;
            case NO_SPACE, QUOTA_EXCEEDED, INSUFFICIENT_MEMORY, RELEASE_INEFFECTIVE -> 507;
        };
    }

    /** Such an answer carries {@code Retry-After}. */
    public static boolean hasRetryAfter(ProblemCode code) {
        int status = of(code);
        return status == 429 || status == 503;
    }

    /** The code that says best what an answer without a problem body means: frameworks and proxies send such ones. */
    public static ProblemCode codeFor(int status) {
        ProblemCode code = CODES.get(status);
        if (code != null) {
            return code;
        }
        return status >= 400 && status < 500 ? ProblemCode.INVALID_ARGUMENT : ProblemCode.INTERNAL;
    }

    /** Every code with its status, in the order of the codes: for documents and tests. */
    public static Map<ProblemCode, Integer> table() {
        Map<ProblemCode, Integer> table = new EnumMap<>(ProblemCode.class);
        for (ProblemCode code : ProblemCode.values()) {
            table.put(code, of(code));
        }
        return table;
    }
}
