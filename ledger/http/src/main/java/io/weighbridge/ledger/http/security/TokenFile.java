package io.weighbridge.ledger.http.security;

import io.weighbridge.ledger.http.json.StrictJson;
import io.weighbridge.ledger.identity.Validation;
import io.weighbridge.ledger.key.Sha256;
import io.weighbridge.ledger.problem.ProblemException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
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
 * Callers by the SHA-256 of their tokens or of their TLS certificates: a JSON array of {@code {token_sha256 or
 * certificate_sha256, subject, tenant?, scopes}}. Looking up a digest tells a timing attacker nothing about a token;
 * the final comparison takes constant time all the same.
 */
public final class TokenFile {

    /**
     * One line of the file.
     *
     * @param tokenSha256 64 lower-case hexadecimal digits, of the token's UTF-8 bytes
     * @param tenant absent for services and agents
     * @param certificateSha256 64 lower-case hexadecimal digits, of the client certificate's DER form; instead of a
     *     token
     */
    public record Entry(
            @Nullable String tokenSha256,
            String subject,
            @Nullable String tenant,
            List<String> scopes,
            @Nullable String certificateSha256) {

        /** The entry for a raw token. */
        public static Entry of(String token, String subject, @Nullable String tenant, Scope... scopes) {
            List<String> texts = new ArrayList<>();
            for (Scope scope : scopes) {
                texts.add(scope.text());
            }
            return new Entry(BearerTokens.sha256(token), subject, tenant, texts, null);
        }
    }

    private record Known(byte[] digest, Caller caller) {}

    private final Map<String, Known> byToken = new HashMap<>();
    private final Map<String, Known> byCertificate = new HashMap<>();

    private TokenFile(List<Entry> entries) {
        for (Entry entry : entries) {
            Caller caller = caller(entry);
            String token = entry.tokenSha256();
            String certificate = entry.certificateSha256();
            if ((token == null) == (certificate == null)) {
                throw new IllegalArgumentException(
                        entry.subject() + " needs either a token_sha256 or a certificate_sha256");
            }
            if (token != null) {
                put(byToken, Validation.sha256("token_sha256", token), caller);
            } else {
                put(byCertificate, Validation.sha256("certificate_sha256", certificate), caller);
            }
        }
    }

    private static Caller caller(Entry entry) {
        Set<Scope> scopes = new LinkedHashSet<>();
        for (String text : entry.scopes()) {
            scopes.add(Scope.parse(text).orElseThrow(() -> new IllegalArgumentException("unknown scope " + text)));
        }
        return new Caller(
                entry.tenant() == null ? null : Validation.tenant("tenant", entry.tenant()),
                Validation.text("subject", entry.subject()),
                scopes);
    }

    private static void put(Map<String, Known> callers, String sha256, Caller caller) {
        if (callers.put(sha256, new Known(HexFormat.of().parseHex(sha256), caller)) != null) {
            throw new IllegalArgumentException("the credential of " + caller.subject() + " stands there twice");
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
        return find(byToken, token.getBytes(StandardCharsets.UTF_8));
    }

    /** The caller with this certificate, whose private key TLS has already demanded. */
    Optional<Caller> find(X509Certificate certificate) {
        try {
            return find(byCertificate, certificate.getEncoded());
        } catch (CertificateEncodingException e) {
            return Optional.empty();
        }
    }

    private static Optional<Caller> find(Map<String, Known> callers, byte[] credential) {
        byte[] digest = Sha256.of(credential);
        Known known = callers.get(HexFormat.of().formatHex(digest));
        return known != null && MessageDigest.isEqual(known.digest(), digest)
                ? Optional.of(known.caller())
                : Optional.empty();
    }
}
