package io.weighbridge.metadata.revision;

import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.ledger.identity.RevisionIdentity;
import io.weighbridge.metadata.revision.RunningService.Answer;
import io.weighbridge.wire.CommitImport;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** Goal: the feed tells every change once, in order and without secrets, as pages and as events. */
@Timeout(60)
class RevisionFeedIT extends RevisionWorld {

    private static List<String> kinds(RevisionIdentity identity) {
        List<String> kinds = new ArrayList<>();
        String cursor = "start";
        while (true) {
            Answer page = service.get("/v1/feed?page_size=2&revision_id=" + identity.id() + "&after=" + cursor)
                    .send();
            assertThat(page.status()).as("%s", page).isEqualTo(200);
            for (JsonNode entry : page.body().path("entries")) {
                kinds.add(entry.path("kind").asString());
                assertThat(entry.toString()).doesNotContain("token_hash");
            }
            String next = page.body().path("next_cursor").asString();
            if (next.equals(cursor)) {
                return kinds;
            }
            cursor = next;
        }
    }

    @Test
    void aWholeLifeIsTold() {
        RevisionIdentity identity = ready(2);
        String operation = service.post(path(identity) + "/residency")
                .ifMatch(2)
                .body(Map.of("target", "COLD"))
                .send()
                .body()
                .path("operation_id")
                .asString();
        arranged.copyToDisk(identity);
        arranged.retire(identity, "MEMORY");
        for (String what : List.of("progress", "finish")) {
            service.post("/v1/internal/revisions/" + identity.id() + "/" + what)
                    .as(RunningService.INTERNAL)
                    .body(Map.of("operation_id", operation, "claim_epoch", 1))
                    .send();
        }
        service.delete(path(identity)).ifMatch(4).send();
        assertThat(kinds(identity))
                .containsExactly(
                        "ImportBegun",
                        "ImportCommitted",
                        "OperationStarted",
                        "OperationProgressed",
                        "OperationFinished",
                        "DeleteStarted");
        Answer last = service.get("/v1/feed?kind=DeleteStarted&revision_id=" + identity.id())
                .send();
        JsonNode state = last.body().path("entries").path(0).path("state");
        JsonNode view = service.get(path(identity)).send().body();
        for (Map.Entry<String, JsonNode> field : view.properties()) {
            assertThat(state.path(field.getKey())).as(field.getKey()).isEqualTo(field.getValue());
        }
    }

    @Test
    void eventsAreFollowedAndResumed() {
        String now = service.get("/v1/feed?after=now")
                .send()
                .body()
                .path("next_cursor")
                .asString();
        RevisionIdentity identity = fresh();
        begun(identity, 1);
        arranged.members(identity, 1);
        HttpClient http = HttpClient.newHttpClient();
        CompletableFuture<List<String>> first = follow(http, "?after=" + now, null, 1);
        List<String> begun = first.join();
        assertThat(begun.getFirst()).contains("ImportBegun");
        String id = begun.getFirst()
                .lines()
                .filter(line -> line.startsWith("id:"))
                .findFirst()
                .orElseThrow()
                .substring(3);
        CompletableFuture<List<String>> second = follow(http, "", id, 1);
        assertThat(service.post(path(identity) + "/commit")
                        .ifMatch(1)
                        .body(new CommitImport(Arranged.reference(identity, 1)))
                        .send()
                        .status())
                .isEqualTo(200);
        assertThat(second.join().getFirst()).contains("ImportCommitted");
    }

    /** So many events, each as its lines. */
    private static CompletableFuture<List<String>> follow(
            HttpClient http, String query, @Nullable String lastEventId, int count) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(service.uri("/v1/feed" + query)).header("Accept", "text/event-stream");
        if (lastEventId != null) {
            request.header("Last-Event-ID", lastEventId);
        }
        return http.sendAsync(request.build(), HttpResponse.BodyHandlers.ofLines())
                .thenApply(response -> events(response.body(), count))
                .orTimeout(30, TimeUnit.SECONDS);
    }

    private static List<String> events(Stream<String> lines, int count) {
        List<String> events = new ArrayList<>();
        StringBuilder event = new StringBuilder();
        try (lines) {
            var all = lines.iterator();
            while (events.size() < count && all.hasNext()) {
                String line = all.next();
                if (line.isEmpty() && event.indexOf("data:") >= 0) {
                    events.add(event.toString());
                    event.setLength(0);
                } else if (!line.isEmpty()) {
                    event.append(line).append('\n');
                }
            }
        }
        return events;
    }

    @Test
    void tenantsSeeTheirOwnEntriesOnly() {
        RevisionIdentity identity = fresh();
        begun(identity, 1);
        Answer foreign = service.get("/v1/feed?revision_id=" + identity.id())
                .as(RunningService.RIVAL)
                .send();
        assertThat(foreign.body().path("entries").size()).isZero();
        Answer operator = service.get("/v1/feed?revision_id=" + identity.id())
                .as(RunningService.OPERATOR)
                .send();
        assertThat(operator.body().path("entries").size()).isEqualTo(1);
        assertThat(service.get("/v1/feed?after=nonsense").send().status()).isEqualTo(400);
        assertThat(service.get("/v1/feed?kind=Nonsense").send().status()).isEqualTo(400);
    }

    @Test
    void aPageIsAwaited() {
        String now = service.get("/v1/feed?after=now")
                .send()
                .body()
                .path("next_cursor")
                .asString();
        RevisionIdentity identity = fresh();
        CompletableFuture<Answer> page = service.get(
                        "/v1/feed?wait_ms=20000&revision_id=" + identity.id() + "&after=" + now)
                .sendAsync();
        begun(identity, 1);
        assertThat(page.join().body().path("entries").size()).isEqualTo(1);
    }
}
