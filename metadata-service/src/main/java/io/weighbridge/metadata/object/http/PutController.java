package io.weighbridge.metadata.object.http;

import io.weighbridge.ledger.http.fence.IdempotencyKey;
import io.weighbridge.ledger.http.security.Caller;
import io.weighbridge.ledger.http.security.Scope;
import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.metadata.object.application.ObjectSettings;
import io.weighbridge.metadata.object.application.PutAnswer;
import io.weighbridge.metadata.object.application.PutHandler;
import io.weighbridge.wire.ObjectResults;
import io.weighbridge.wire.PutEnd;
import io.weighbridge.wire.PutRevoke;
import io.weighbridge.wire.PutStart;
import io.weighbridge.wire.PutStarted;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Writing objects (spec 2.2). A batch answers 200; each item has its own status and code. */
@RestController
@RequestMapping("/v1/objects")
public class PutController {

    private static final String IMPORT_TOKEN = "Import-Token";

    private final PutHandler puts;
    private final PutItems items;

    public PutController(PutHandler puts, ObjectSettings settings) {
        this.puts = puts;
        this.items = new PutItems(settings, Clock.systemUTC());
    }

    /**
     * Reserves space and hands out write tokens; the payload goes to the targets' agents. Takes no
     * {@code Idempotency-Key}: an answer with write tokens is never stored.
     */
    @PostMapping("/put-start")
    Mono<PutStarted> startPuts(
            @RequestBody PutStart body,
            @RequestHeader(name = IMPORT_TOKEN, required = false) @Nullable String importToken,
            Caller caller,
            ServerHttpRequest request) {
        String tenant = caller.require(Scope.OBJECTS_WRITE).tenant();
        if (request.getHeaders().containsHeader(IdempotencyKey.HEADER)) {
            throw new ProblemException(Problem.invalid(IdempotencyKey.HEADER, "is not taken by put-start"));
        }
        List<PutStart.Item> batch = Batch.checked("items", body.items());
        return Batch.run(puts, batch, item -> items.start(item, tenant, caller.subject(), importToken))
                .map(answers -> {
                    List<PutStarted.Item> results = new ArrayList<>(batch.size());
                    for (int i = 0; i < batch.size(); i++) {
                        results.add(PutItems.started(batch.get(i).key(), answers.get(i)));
                    }
                    return new PutStarted(results);
                });
    }

    /** Commits what every target's agent has stored under this very token. */
    @PostMapping("/put-end")
    Mono<ObjectResults> endPuts(
            @RequestBody PutEnd body,
            @RequestHeader(name = IMPORT_TOKEN, required = false) @Nullable String importToken,
            Caller caller) {
        String tenant = caller.require(Scope.OBJECTS_WRITE).tenant();
        List<PutEnd.Item> batch = Batch.checked("items", body.items());
        return Batch.run(puts, batch, item -> PutItems.end(item, tenant, caller.subject(), importToken))
                .map(answers -> results(batch, PutEnd.Item::key, answers));
    }

    /** Gives a put up; never touches what is committed. */
    @PostMapping("/put-revoke")
    Mono<ObjectResults> revokePuts(@RequestBody PutRevoke body, Caller caller) {
        String tenant = caller.require(Scope.OBJECTS_WRITE).tenant();
        List<PutRevoke.Item> batch = Batch.checked("items", body.items());
        return Batch.run(puts, batch, item -> PutItems.revoke(item, tenant, caller.subject()))
                .map(answers -> results(batch, PutRevoke.Item::key, answers));
    }

    private static <T> ObjectResults results(List<T> batch, Function<T, String> key, List<PutAnswer> answers) {
        List<ObjectResults.Item> results = new ArrayList<>(batch.size());
        for (int i = 0; i < batch.size(); i++) {
            results.add(PutItems.done(key.apply(batch.get(i)), answers.get(i)));
        }
        return new ObjectResults(results);
    }
}
