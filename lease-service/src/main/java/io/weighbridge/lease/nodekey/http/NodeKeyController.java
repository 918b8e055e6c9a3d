package io.weighbridge.lease.nodekey.http;

import io.weighbridge.lease.nodekey.application.NodeKeys;
import io.weighbridge.ledger.http.security.Caller;
import io.weighbridge.ledger.http.security.Scope;
import io.weighbridge.ledger.token.NodeKey;
import io.weighbridge.ledger.token.Secret;
import io.weighbridge.wire.ReadLeaseKeys;
import java.util.UUID;
import org.springframework.http.CacheControl;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Keys of read leases, for agents only (spec 2.3, 5.2). */
@RestController
@RequestMapping("/v1/read-lease-keys")
public class NodeKeyController {

    private final NodeKeys keys;

    public NodeKeyController(NodeKeys keys) {
        this.keys = keys;
    }

    /**
     * Tells an agent the keys of its node, newest first, at most two; it accepts tokens of both. The first call makes
     * the first key and binds the node to the caller's subject. Needs the scope {@code nodes:agent}.
     *
     * @param nodeId the agent's own node
     */
    @GetMapping
    Mono<ResponseEntity<ReadLeaseKeys>> getReadLeaseKeys(Caller caller, @RequestParam(name = "node_id") UUID nodeId) {
        caller.require(Scope.NODES_AGENT);
        return keys.of(nodeId, caller.subject())
                .map(own -> ResponseEntity.ok()
                        .cacheControl(CacheControl.noStore())
                        .body(new ReadLeaseKeys(
                                own.stream().map(NodeKeyController::view).toList())));
    }

    private static ReadLeaseKeys.Key view(NodeKey key) {
        return new ReadLeaseKeys.Key(key.version(), Secret.encode(key.secret()));
    }
}
