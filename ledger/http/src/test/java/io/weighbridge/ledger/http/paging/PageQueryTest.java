package io.weighbridge.ledger.http.paging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weighbridge.ledger.problem.ProblemException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tokens survive the way there and back, and nothing else. */
class PageQueryTest {

    private final PageQuery query = PageQuery.of("revisions", "acme", null, "x");

    @Test
    void aTokenHoldsTheLastKey() {
        for (List<String> key : List.of(
                List.of("a"), List.of("", "b"), List.of("größe/☃", "2026-01-01T00:00:00Z", "0"), List.<String>of())) {
            String token = query.token(key.toArray(String[]::new));
            assertThat(token).matches("[A-Za-z0-9_-]+");
            assertThat(new PageRequest(10, token).after(query)).contains(key);
        }
    }

    @Test
    void aTokenOfAnotherQueryIsRefused() {
        String token = query.token("a", "b");
        for (PageQuery other : List.of(
                PageQuery.of("objects", "acme", null, "x"),
                PageQuery.of("revisions", "other", null, "x"),
                PageQuery.of("revisions", "acme", "", "x"),
                PageQuery.of("revisions", "acme", "x", null),
                PageQuery.of("revisions", "acme", null, "x", null))) {
            assertThatThrownBy(() -> new PageRequest(10, token).after(other)).isInstanceOf(ProblemException.class);
        }
    }

    @Test
    void everyChangedCharacterIsFound() {
        String token = query.token("abc", "def");
        Random random = new Random(7);
        for (int i = 0; i < token.length() - 1; i++) {
            char[] changed = token.toCharArray();
            do {
                changed[i] =
                        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".charAt(random.nextInt(64));
            } while (changed[i] == token.charAt(i));
            assertThatThrownBy(() -> new PageRequest(1, new String(changed)).after(query))
                    .isInstanceOf(ProblemException.class)
                    .hasMessageContaining("page_token");
        }
    }

    @Test
    void theLastPageHasNoToken() {
        assertThat(query.page(List.of("a", "b"), 2, List::of).nextPageToken()).isNull();
        Page<String> page = query.page(List.of("a", "b", "c"), 2, List::of);
        assertThat(page.rows()).containsExactly("a", "b");
        assertThat(new PageRequest(2, page.nextPageToken()).after(query)).contains(List.of("b"));
    }
}
