package io.weighbridge.ledger.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.ledger.http.calls.CallLimits;
import io.weighbridge.ledger.http.calls.Calls;
import io.weighbridge.ledger.http.example.ExampleService;
import io.weighbridge.ledger.http.security.Scope;
import io.weighbridge.ledger.http.security.TokenFile;
import io.weighbridge.ledger.key.Sha256;
import io.weighbridge.ledger.problem.ProblemException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** Services know each other by their certificates (spec 5.3). */
class MutualTlsIT {

    private static final String PASSWORD = "changeit";

    @TempDir
    private Path directory;

    @Test
    void aPeerIsKnownByItsCertificate() throws Exception {
        Path server = keyStore("server");
        Path peer = keyStore("peer");
        Path stranger = keyStore("stranger");
        Path everyone = trustStore(server, peer, stranger);
        Path peers = directory.resolve("peers.json");
        TokenFile.write(
                peers,
                List.of(new TokenFile.Entry(
                        null,
                        "service/reconciliation",
                        null,
                        List.of(Scope.LEDGER_INTERNAL.text()),
                        Sha256.hex(certificate(peer)))));
        try (var callee = ExampleService.start(
                        bundle("server", "keystore", server),
                        bundle("server", "truststore", everyone),
                        "spring.ssl.bundle.jks.server.keystore.password=" + PASSWORD,
                        "spring.ssl.bundle.jks.server.truststore.password=" + PASSWORD,
                        "server.ssl.bundle=server",
                        "server.ssl.client-auth=need",
                        "weighbridge.security.peer-token-file=" + peers);
                var known = caller(peer, everyone);
                var unknown = caller(stranger, everyone)) {
            StepVerifier.create(work(known, callee))
                    .expectNext("work")
                    .expectComplete()
                    .verify(Duration.ofSeconds(20));
            StepVerifier.create(work(unknown, callee))
                    .expectErrorSatisfies(e -> assertThat(e)
                            .isInstanceOf(ProblemException.class)
                            .hasMessageContaining("PERMISSION_DENIED"))
                    .verify(Duration.ofSeconds(20));
        }
    }

    private static Mono<String> work(ConfigurableApplicationContext from, ConfigurableApplicationContext to) {
        return from.getBean(Calls.class)
                .webClient("callee", "https://localhost:" + ExampleService.port(to), CallLimits.standard())
                .get()
                .uri("/v1/internal/work")
                .retrieve()
                .bodyToMono(String.class);
    }

    private static ConfigurableApplicationContext caller(Path keys, Path trusted) {
        return ExampleService.start(
                bundle("own", "keystore", keys),
                bundle("own", "truststore", trusted),
                "spring.ssl.bundle.jks.own.keystore.password=" + PASSWORD,
                "spring.ssl.bundle.jks.own.truststore.password=" + PASSWORD,
                "weighbridge.security.calls-ssl-bundle=own");
    }

    private static String bundle(String name, String store, Path file) {
        return "spring.ssl.bundle.jks." + name + "." + store + ".location=file:" + file;
    }

    private Path keyStore(String name) throws IOException, InterruptedException {
        Path file = directory.resolve(name + ".p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        name,
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "san=dns:localhost",
                        "-storepass",
                        PASSWORD,
                        "-keystore",
                        file.toString())
                .redirectErrorStream(true)
                .start();
        assertThat(keytool.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(keytool.exitValue()).isZero();
        return file;
    }

    private Path trustStore(Path... stores) throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        for (Path store : stores) {
            KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
            String alias = keys.aliases().nextElement();
            trusted.setCertificateEntry(alias, keys.getCertificate(alias));
        }
        Path file = directory.resolve("trusted.p12");
        try (var out = Files.newOutputStream(file)) {
            trusted.store(out, PASSWORD.toCharArray());
        }
        return file;
    }

    private static byte[] certificate(Path store) throws Exception {
        KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
        return keys.getCertificate(keys.aliases().nextElement()).getEncoded();
    }
}
