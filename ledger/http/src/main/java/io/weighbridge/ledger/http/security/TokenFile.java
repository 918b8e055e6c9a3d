package io.weighbridge.ledger.http.security;

import io.weighbridge.ledger.http.json.StrictJson;
import io.weighbridge.ledger.identity.Validation;
import io.weighbridge.ledger.problem.ProblemException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * Callers by the SHA-256 of their tokens: a JSON array of {@code {token_sha256, subject, tenant?, scopes}}. Looking up a
 * digest tells a timing attacker nothing about a token; the final comparison takes constant time all the same.
 */
public final class TokenFile {

    /**
     * One line of the file.
     *
     * @param tokenSha256 64 lower-case hexadecimal digits
     * @param tenant absent for services and agents
     */
    public record Entry(
            String tokenSha256, String subject, @Nullable String tenant, List<String> scopes) {

        /** The entry for a raw token. */
        public static Entry of(String token, String subject, @Nullable String tenant, Scope... scopes) {
            List<String> texts = new ArrayList<>();
            for (Scope scope : scopes) {
                texts.add(scope.text());
            }
            return new Entry(BearerTokens.sha256(token), subject, tenant, texts);
        }
    }

    private record Known(byte[] digest, Caller caller) {}

    private final Map<String, Known> callers = new HashMap<>();

    private TokenFile(List<Entry> entries) {
        for (Entry entry : entries) {
            Validation.sha256("token_sha256", entry.tokenSha256());
            Validation.text("subject", entry.subject());
            if (entry.tenant() != null) {
                Validation.tenant("tenant", entry.tenant());
            }
            Set<Scope> scopes = new LinkedHashSet<>();
            for (String text : entry.scopes()) {
                scopes.add(Scope.parse(text).orElseThrow(() -> new IllegalArgumentException("unknown scope " + text)));
            }
            byte[] digest = HexFormat.of().parseHex(entry.tokenSha256());
            Caller caller = new Caller(entry.tenant(), entry.subject(), scopes);
            if (callers.put(entry.tokenSha256(), new Known(digest, caller)) != null) {
                throw new IllegalArgumentException("the token of " + entry.subject() + " stands there twice");
            }
        }
    }

    /** No callers. */
    public static TokenFile empty() {
        return new TokenFile(List.of());
    }

    /**
     * Reads a file.
     *
     * @throws IllegalStateException when it cannot be read or understood: start-up fails
     */
    public static TokenFile read(Path file) {
        try {
            Entry[] entries = StrictJson.forRequests().readValue(Files.readAllBytes(file), Entry[].class);
            return new TokenFile(List.of(entries));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the token file " + file, e);
        } catch (JacksonException | ProblemException | IllegalArgumentException e) {
            throw new IllegalStateException("the token file " + file + " is malformed: " + e.getMessage(), e);
        }
    }

    /** Writes such a file, readable by its owner only where the file system can say so. */
    public static void write(Path file, List<Entry> entries) throws IOException {
        Files.write(file, StrictJson.forRequests().writeValueAsBytes(entries));
        if (!file.toFile().setReadable(false, false) || !file.toFile().setReadable(true, true)) {
            throw new IOException("cannot restrict access to " + file);
        }
    }

    /** The caller with this token. */
    Optional<Caller> find(String token) {
        String hex = BearerTokens.sha256(token);
        Known known = callers.get(hex);
        return known != null
                        && MessageDigest.isEqual(known.digest(), HexFormat.of().parseHex(hex))
                ? Optional.of(known.caller())
                : Optional.empty();
    }
}
