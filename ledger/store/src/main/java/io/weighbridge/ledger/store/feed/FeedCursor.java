package io.weighbridge.ledger.store.feed;

import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a consumer keeps to go on later: a position, and the ledger epoch in which it was given out. After the epoch has
 * moved nobody knows whether the consumer has seen entries that the ledger lost, so its cursor is of no use any more.
 *
 * @param issuedIn the ledger epoch in which the cursor was given out
 */
record FeedCursor(long issuedIn, FeedPosition position) {

    private static final int MAX_LENGTH = 120;
    private static final String NUMBER = "(0|[1-9][0-9]{0,18})";
    private static final Pattern FORM = Pattern.compile(String.join("\\.", NUMBER, NUMBER, NUMBER, NUMBER));

    /** The opaque text. */
    String text() {
        String plain = issuedIn + "." + position.epoch() + "." + position.xid() + "." + position.seq();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(plain.getBytes(StandardCharsets.US_ASCII));
    }

    /** @throws ProblemException INVALID_ARGUMENT when the text was never given out */
    static FeedCursor parse(String text) {
        if (text.length() > MAX_LENGTH) {
            throw malformed();
        }
        try {
            byte[] decoded = Base64.getUrlDecoder().decode(text);
            Matcher numbers = FORM.matcher(new String(decoded, StandardCharsets.US_ASCII));
            if (!numbers.matches()) {
                throw malformed();
            }
            return new FeedCursor(
                    Long.parseLong(numbers.group(1)),
                    new FeedPosition(
                            Long.parseLong(numbers.group(2)),
                            Long.parseLong(numbers.group(3)),
                            Long.parseLong(numbers.group(4))));
        } catch (IllegalArgumentException e) {
            throw malformed();
        }
    }

    private static ProblemException malformed() {
        return new ProblemException(
                Problem.invalid("cursor", "is neither 'start', 'now' nor one of this feed's cursors"));
    }
}
