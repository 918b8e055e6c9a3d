package io.weighbridge.metadata.object.http;

import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.metadata.object.application.PutAnswer;
import io.weighbridge.metadata.object.application.PutHandler;
import io.weighbridge.metadata.object.application.PutRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/** A batch of 1 to 1000 items: a malformed one is refused by itself, the others go on. */
public final class Batch {

    /** The most items of a request. */
    public static final int MOST = 1000;

    private Batch() {}

    /** @throws ProblemException INVALID_ARGUMENT when there are none or too many */
    public static <T> List<T> checked(String field, List<T> items) {
        if (items.isEmpty() || items.size() > MOST) {
            throw new ProblemException(
                    Problem.invalid(field, "must have 1 to " + MOST + " elements, has " + items.size()));
        }
        return items;
    }

    /** One answer for each item, in the items' order. */
    public static <T> Mono<List<PutAnswer>> run(PutHandler handler, List<T> items, Function<T, PutRequest> parse) {
        PutAnswer[] answers = new PutAnswer[items.size()];
        List<PutRequest> requests = new ArrayList<>();
        List<Integer> positions = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            try {
                requests.add(parse.apply(items.get(i)));
                positions.add(i);
            } catch (ProblemException malformed) {
                answers[i] = new PutAnswer.Refused(malformed.problem());
            }
        }
        return handler.submit(requests).map(done -> {
            for (int i = 0; i < done.size(); i++) {
                answers[positions.get(i)] = done.get(i);
            }
            return Arrays.asList(answers);
        });
    }
}
