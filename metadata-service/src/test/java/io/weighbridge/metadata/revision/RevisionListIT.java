package io.weighbridge.metadata.revision;

import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.ledger.identity.RevisionIdentity;
import io.weighbridge.metadata.revision.RunningService.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Goal: lists show each row once and in order, whatever is inserted meanwhile. */
class RevisionListIT extends RevisionWorld {

    private static RevisionIdentity named(String resource, String revision, long generation) {
        return new RevisionIdentity("default", "listed", resource, revision, generation);
    }

    private static String list(String resource) {
        return "/v1/revisions?namespace=listed&resource_id=" + resource;
    }

    private static List<String> names(Answer page) {
        List<String> names = new ArrayList<>();
        for (JsonNode revision : page.body().path("revisions")) {
            names.add(revision.path("revision").asString() + "@"
                    + revision.path("weight_generation").asLong());
        }
        return names;
    }

    private static List<String> walk(String query) {
        List<String> all = new ArrayList<>();
        String token = "";
        do {
            Answer page = service.get(query + "&page_size=2" + (token.isEmpty() ? "" : "&page_token=" + token))
                    .send();
            assertThat(page.status()).as("%s", page).isEqualTo(200);
            all.addAll(names(page));
            token = page.body().path("next_page_token").asString("");
        } while (!token.isEmpty());
        return all;
    }

    @Test
    void revisionsAreOrderedByBytesAndThenNumbers() {
        for (String revision : List.of("b", "a", "é", "Z", "\uFF5E", "🚀")) {
            begun(named("ordered", revision, 10), 1);
        }
        begun(named("ordered", "a", 9), 1);
        begun(named("ordered", "a", 100), 1);
        assertThat(walk(list("ordered")))
                .containsExactly("Z@10", "a@9", "a@10", "a@100", "b@10", "é@10", "\uFF5E@10", "🚀@10");
    }

    @Test
    void aWalkUnderInsertsMissesNothingThatWasThere() {
        for (int i = 0; i < 6; i++) {
            begun(named("walked", "r" + i * 10, 1), 1);
        }
        List<String> all = new ArrayList<>();
        String token = "";
        int inserted = 0;
        do {
            Answer page = service.get(list("walked") + "&page_size=2" + (token.isEmpty() ? "" : "&page_token=" + token))
                    .send();
            all.addAll(names(page));
            begun(named("walked", "r" + inserted * 10 + "-new", 1), 1);
            inserted++;
            token = page.body().path("next_page_token").asString("");
        } while (!token.isEmpty());
        assertThat(all)
                .doesNotHaveDuplicates()
                .contains("r0@1", "r10@1", "r20@1", "r30@1", "r40@1", "r50@1")
                .isSorted();
    }

    @Test
    void filtersAndOrderByCommit() {
        RevisionIdentity late = named("filtered", "a", 1);
        RevisionIdentity early = named("filtered", "b", 1);
        RevisionIdentity open = named("filtered", "c", 1);
        Map<String, Object> labelled = begin(late, 1);
        labelled.put("labels", Map.of("dtype", "bf16,x:y", "run", "7"));
        assertThat(service.post("/v1/revisions/imports").body(labelled).send().status())
                .isEqualTo(201);
        begun(early, 1);
        begun(open, 1);
        for (RevisionIdentity identity : List.of(early, late)) {
            arranged.members(identity, 1);
            assertThat(commit(identity, 1, 1).status()).isEqualTo(200);
        }
        assertThat(walk(list("filtered") + "&order=COMMITTED_AT")).containsExactly("b@1", "a@1", "c@1");
        assertThat(walk(list("filtered") + "&availability=IMPORTING")).containsExactly("c@1");
        assertThat(walk(list("filtered") + "&availability=IMPORTING&availability=READY"))
                .containsExactly("a@1", "b@1", "c@1");
        String label = RunningService.encode("dtype:bf16,x:y");
        assertThat(walk(list("filtered") + "&label=" + label)).containsExactly("a@1");
        assertThat(walk(list("filtered") + "&label=" + label + "&label=run:8")).isEmpty();

        service.post(path(open) + "/abort").ifMatch(1).send();
        service.post("/v1/internal/revisions/" + open.id() + "/finish-delete")
                .as(RunningService.INTERNAL)
                .body(Map.of("claim_epoch", 1))
                .send();
        assertThat(walk(list("filtered"))).containsExactly("a@1", "b@1");
        assertThat(walk(list("filtered") + "&include_deleted=true")).containsExactly("a@1", "b@1", "c@1");
        assertThat(walk(list("filtered") + "&availability=DELETED")).containsExactly("c@1");
    }

    @Test
    void badListsAreRefused() {
        for (String query : List.of(
                "/v1/revisions?namespace=listed",
                "/v1/revisions?resource_id=x",
                list("x") + "&page_size=0",
                list("x") + "&page_size=1001",
                list("x") + "&page_token=nonsense",
                list("x") + "&availability=SOON",
                list("x") + "&label=nocolon",
                list("x") + "&order=NAME")) {
            Answer answer = service.get(query).send();
            assertThat(answer.status()).as("%s: %s", query, answer).isEqualTo(400);
            assertThat(answer.code()).isEqualTo("INVALID_ARGUMENT");
        }
        for (int i = 0; i < 3; i++) {
            begun(named("tokens", "r" + i, 1), 1);
        }
        String token = service.get(list("tokens") + "&page_size=1")
                .send()
                .body()
                .path("next_page_token")
                .asString();
        assertThat(service.get(list("other") + "&page_token=" + token).send().code())
                .isEqualTo("INVALID_ARGUMENT");
        assertThat(service.get(list("x") + "&tenant_id=acme").send().status()).isEqualTo(403);
    }

    @Test
    void namespacesAndResourcesAreBrowsed() {
        for (String namespace : List.of("browse-b", "browse-a", "browse-a")) {
            for (String resource : List.of("y", "x")) {
                begun(new RevisionIdentity("default", namespace, resource, fresh().revision(), 1), 1);
            }
        }
        Answer first = service.get("/v1/namespaces?page_size=1").send();
        assertThat(first.body().path("namespaces").size()).isEqualTo(1);
        Answer all = service.get("/v1/namespaces").send();
        assertThat(all.body().path("namespaces").toString()).contains("[\"browse-a\",\"browse-b\"");
        Answer resources = service.get("/v1/resources?namespace=browse-a").send();
        assertThat(resources.body().path("resources").toString()).isEqualTo("[\"x\",\"y\"]");
        assertThat(service.get("/v1/namespaces")
                        .as(RunningService.RIVAL)
                        .send()
                        .body()
                        .path("namespaces")
                        .size())
                .isZero();
    }

    @Test
    void membersAreListedInPages() {
        RevisionIdentity identity = ready(5);
        List<String> keys = new ArrayList<>();
        String token = "";
        do {
            Answer page = service.get(
                            path(identity) + "/members?page_size=2" + (token.isEmpty() ? "" : "&page_token=" + token))
                    .send();
            for (JsonNode member : page.body().path("members")) {
                keys.add(member.path("key").asString());
                assertThat(member.path("replicas").size()).isEqualTo(1);
            }
            token = page.body().path("next_page_token").asString("");
        } while (!token.isEmpty());
        assertThat(keys).hasSize(6).isSorted().contains(identity.manifestKey());
    }
}
