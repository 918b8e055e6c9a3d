package io.weighbridge.ledger.http.security;

import java.util.List;

/**
 * A bean with path patterns that this service answers without credential from anywhere, such as the dashboard's static
 * files or content that a capability header guards.
 */
public record PublicPaths(List<String> patterns) {

    public PublicPaths {
        patterns = List.copyOf(patterns);
    }
}
