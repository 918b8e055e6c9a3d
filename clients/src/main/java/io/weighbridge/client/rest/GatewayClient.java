package io.weighbridge.client.rest;

import io.weighbridge.ledger.identity.RevisionIdentity;
import io.weighbridge.ledger.vocabulary.Residency;
import io.weighbridge.wire.AcquireLease;
import io.weighbridge.wire.AcquiredLease;
import io.weighbridge.wire.BeginImport;
import io.weighbridge.wire.BegunImport;
import io.weighbridge.wire.CommitImport;
import io.weighbridge.wire.Diagnosis;
import io.weighbridge.wire.Keys;
import io.weighbridge.wire.LeasePage;
import io.weighbridge.wire.LeaseView;
import io.weighbridge.wire.ManifestReference;
import io.weighbridge.wire.ManifestSources;
import io.weighbridge.wire.MemberPage;
import io.weighbridge.wire.NamespacePage;
import io.weighbridge.wire.NodePage;
import io.weighbridge.wire.ObjectResults;
import io.weighbridge.wire.OperationView;
import io.weighbridge.wire.Placement;
import io.weighbridge.wire.PutEnd;
import io.weighbridge.wire.PutStart;
import io.weighbridge.wire.PutStarted;
import io.weighbridge.wire.RenewLease;
import io.weighbridge.wire.ResourcePage;
import io.weighbridge.wire.RevisionPage;
import io.weighbridge.wire.RevisionView;
import io.weighbridge.wire.StartResidency;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The control calls of spec 5.2 that the command line makes. Each throws the server's problem as an exception. */
public final class GatewayClient {

    private final Rest rest;
    private final String gateway;

    /** @param gateway the base URL, such as {@code http://127.0.0.1:8080} */
    public GatewayClient(Rest rest, String gateway) {
        this.rest = rest;
        this.gateway = gateway.endsWith("/") ? gateway.substring(0, gateway.length() - 1) : gateway;
    }

    public String url() {
        return gateway;
    }

    public Rest rest() {
        return rest;
    }

    public BegunImport begin(BeginImport begin) {
        return call("POST", "/v1/revisions/imports").body(begin).as(BegunImport.class);
    }

    public void heartbeatImport(String revisionId, String importToken) {
        call("POST", "/v1/revisions/" + revisionId + "/heartbeat")
                .header("Import-Token", importToken)
                .done();
    }

    public RevisionView commit(String revisionId, long fence, ManifestReference manifest) {
        return call("POST", "/v1/revisions/" + revisionId + "/commit")
                .ifMatch(fence)
                .body(new CommitImport(manifest))
                .as(RevisionView.class);
    }

    public RevisionView abort(String revisionId, long fence) {
        return call("POST", "/v1/revisions/" + revisionId + "/abort")
                .ifMatch(fence)
                .as(RevisionView.class);
    }

    public RevisionView revision(String revisionId) {
        return call("GET", "/v1/revisions/" + revisionId).as(RevisionView.class);
    }

    /** The revision when its operation or deletion has ended, or as it is after the wait, 0 to 60 s. */
    public RevisionView revisionAtRest(String revisionId, Duration wait) {
        return call("GET", "/v1/revisions/" + revisionId)
                .query("wait_ms", wait.toMillis())
                .as(RevisionView.class);
    }

    /** Finds a revision by its exact identity; the tenant is the credential's. */
    public RevisionView lookup(RevisionIdentity identity) {
        return call("GET", "/v1/revisions/lookup")
                .query("namespace", identity.namespace())
                .query("resource_id", identity.resourceId())
                .query("revision", identity.revision())
                .query("weight_generation", identity.weightGeneration())
                .as(RevisionView.class);
    }

    public RevisionPage revisions(
            String namespace, String resourceId, boolean includeDeleted, @Nullable String pageToken) {
        return call("GET", "/v1/revisions")
                .query("namespace", namespace)
                .query("resource_id", resourceId)
                .query("include_deleted", includeDeleted)
                .query("page_token", pageToken)
                .as(RevisionPage.class);
    }

    public NamespacePage namespaces(@Nullable String pageToken) {
        return call("GET", "/v1/namespaces").query("page_token", pageToken).as(NamespacePage.class);
    }

    public ResourcePage resources(String namespace, @Nullable String pageToken) {
        return call("GET", "/v1/resources")
                .query("namespace", namespace)
                .query("page_token", pageToken)
                .as(ResourcePage.class);
    }

    public MemberPage members(String revisionId, @Nullable String pageToken) {
        return call("GET", "/v1/revisions/" + revisionId + "/members")
                .query("page_token", pageToken)
                .as(MemberPage.class);
    }

    public Diagnosis diagnosis(String revisionId) {
        return call("GET", "/v1/revisions/" + revisionId + "/diagnosis").as(Diagnosis.class);
    }

    /** Starts an eviction (COLD) or a rehydration (HOT). */
    public OperationView residency(String revisionId, long fence, Residency target) {
        return call("POST", "/v1/revisions/" + revisionId + "/residency")
                .ifMatch(fence)
                .body(new StartResidency(target))
                .as(OperationView.class);
    }

    /** @param wait how long to wait for its end, 0 to 60 s */
    public OperationView operation(UUID operationId, Duration wait) {
        return call("GET", "/v1/operations/" + operationId)
                .query("wait_ms", wait.toMillis())
                .as(OperationView.class);
    }

    public RevisionView placement(String revisionId, long fence, Placement placement) {
        return call("PUT", "/v1/revisions/" + revisionId + "/placement")
                .ifMatch(fence)
                .body(placement)
                .as(RevisionView.class);
    }

    public RevisionView delete(
            String revisionId, long fence, boolean waitForLeases, @Nullable Duration drain, @Nullable Duration wait) {
        return call("DELETE", "/v1/revisions/" + revisionId)
                .ifMatch(fence)
                .query("wait_for_leases", waitForLeases)
                .query("drain_ms", drain == null ? null : drain.toMillis())
                .query("wait_ms", wait == null ? null : wait.toMillis())
                .as(RevisionView.class);
    }

    /** Starts puts; the items' own statuses tell which were granted. */
    public PutStarted putStart(List<PutStart.Item> items, @Nullable String importToken) {
        return call("POST", "/v1/objects/put-start")
                .header("Import-Token", importToken)
                .body(new PutStart(items))
                .as(PutStarted.class);
    }

    public ObjectResults putEnd(List<PutEnd.Item> items) {
        return call("POST", "/v1/objects/put-end").body(new PutEnd(items)).as(ObjectResults.class);
    }

    public ObjectResults exists(List<String> keys) {
        return call("POST", "/v1/objects/exists")
                .body(new Keys(keys, null, null))
                .as(ObjectResults.class);
    }

    /** The readable copies of each key, each with a read lease. */
    public ObjectResults locate(List<String> keys) {
        return call("POST", "/v1/objects/locate")
                .body(new Keys(keys, null, null))
                .as(ObjectResults.class);
    }

    public AcquiredLease acquire(String revisionId, long fence, String holder, Duration ttl) {
        return call("POST", "/v1/revisions/" + revisionId + "/leases")
                .ifMatch(fence)
                .body(new AcquireLease(holder, ttl.toMillis()))
                .as(AcquiredLease.class);
    }

    public LeaseView renew(UUID leaseId, String leaseToken, Duration ttl) {
        return call("POST", "/v1/leases/" + leaseId + "/renew")
                .header("Lease-Token", leaseToken)
                .body(new RenewLease(ttl.toMillis()))
                .as(LeaseView.class);
    }

    public void returnLease(UUID leaseId, String leaseToken) {
        call("DELETE", "/v1/leases/" + leaseId)
                .header("Lease-Token", leaseToken)
                .done();
    }

    public LeasePage leases(String revisionId, @Nullable String pageToken) {
        return call("GET", "/v1/revisions/" + revisionId + "/leases")
                .query("page_token", pageToken)
                .as(LeasePage.class);
    }

    public ManifestSources manifest(String revisionId) {
        return call("GET", "/v1/revisions/" + revisionId + "/manifest").as(ManifestSources.class);
    }

    public NodePage nodes(@Nullable String pageToken) {
        return call("GET", "/v1/nodes").query("page_token", pageToken).as(NodePage.class);
    }

    /** The feed as server-sent events, open until it is closed. */
    public InputStream feed(@Nullable String revisionId, @Nullable String lastEventId) {
        return call("GET", "/v1/feed")
                .header("Accept", "text/event-stream")
                .header("Last-Event-ID", lastEventId)
                .query("revision_id", revisionId)
                .open()
                .body();
    }

    private Rest.Call call(String method, String path) {
        return rest.call(method, gateway, path);
    }
}
