package io.weighbridge.ledger.http.paging;

import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which page of a list the caller wants (spec 5.1). A controller takes it as an argument.
 *
 * @param pageSize 1 to 1000
 * @param pageToken where the page before said to go on; absent: at the start
 */
public record PageRequest(int pageSize, @Nullable String pageToken) {

    public static final int DEFAULT_SIZE = 100;
    public static final int MAX_SIZE = 1000;

    public PageRequest {
        if (pageSize < 1 || pageSize > MAX_SIZE) {
            throw new ProblemException(Problem.invalid("page_size", "must be 1 to " + MAX_SIZE));
        }
    }

    /**
     * The last key of the page before, empty at the start.
     *
     * @throws ProblemException INVALID_ARGUMENT for a damaged token and for one of another query
     */
    public Optional<List<String>> after(PageQuery query) {
        return Optional.ofNullable(pageToken).map(query::decode);
    }
}
