package io.weighbridge.agent.transfer.http;

import io.weighbridge.agent.transfer.application.TransferDesk;
import io.weighbridge.ledger.http.feed.EventStream;
import io.weighbridge.ledger.http.limit.LongRunning;
import io.weighbridge.ledger.http.openapi.Refusals;
import io.weighbridge.ledger.http.security.Caller;
import io.weighbridge.ledger.http.security.Scope;
import io.weighbridge.ledger.identity.Validation;
import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.wire.StartTransfers;
import io.weighbridge.wire.Transfer;
import io.weighbridge.wire.Transfers;
import java.util.UUID;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Pulls by this agent, ordered by the control plane. */
@RestController
@RequestMapping("/v1/transfers")
class TransferController {

    private static final int BATCH_MAX = 1000;

    private final TransferDesk desk;

    TransferController(TransferDesk desk) {
        this.desk = desk;
    }

    /** Orders transfers; each answer tells its own fate. Idempotent by target copy. */
    @PostMapping
    @ResponseStatus(HttpStatus.ACCEPTED)
    Mono<Transfers> startTransfers(Caller caller, @RequestBody StartTransfers body) {
        caller.require(Scope.LEDGER_INTERNAL);
        if (body.items().isEmpty() || body.items().size() > BATCH_MAX) {
            throw new ProblemException(Problem.invalid("items", "must have 1 to " + BATCH_MAX + " elements"));
        }
        for (StartTransfers.Item item : body.items()) {
            Validation.objectKey("key", item.key());
            Validation.sha256("digest", item.digest());
        }
        return desk.start(body.items()).map(Transfers::new);
    }

    /** The newest thousand. */
    @GetMapping
    Transfers listTransfers(Caller caller) {
        caller.require(Scope.LEDGER_INTERNAL, Scope.PLATFORM_ADMIN);
        return new Transfers(desk.list(BATCH_MAX));
    }

    /** One transfer as it is now. */
    @GetMapping("/{transferId}")
    @Refusals(ProblemCode.NOT_FOUND)
    Transfer getTransfer(Caller caller, @PathVariable("transferId") UUID transferId) {
        caller.require(Scope.LEDGER_INTERNAL, Scope.PLATFORM_ADMIN);
        return desk.find(transferId);
    }

    /** Cancels; one that is over stays as it is. */
    @DeleteMapping("/{transferId}")
    @Refusals(ProblemCode.NOT_FOUND)
    Transfer cancelTransfer(Caller caller, @PathVariable("transferId") UUID transferId) {
        caller.require(Scope.LEDGER_INTERNAL);
        return desk.cancel(transferId);
    }

    /** Progress until the transfer is over. */
    @GetMapping(path = "/{transferId}/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    @LongRunning
    @Refusals(ProblemCode.NOT_FOUND)
    Flux<ServerSentEvent<Transfer>> followTransfer(Caller caller, @PathVariable("transferId") UUID transferId) {
        caller.require(Scope.LEDGER_INTERNAL, Scope.PLATFORM_ADMIN);
        return EventStream.of(desk.follow(transferId), view -> Long.toString(view.bytesDone()));
    }
}
