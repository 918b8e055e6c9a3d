package io.weighbridge.suite.run;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits for a part to say that it is ready. */
public final class Readiness {

    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private Readiness() {}

    /** @throws IllegalStateException with the last answer when it is not ready in time */
    public static void await(String baseUrl, Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        String last = "no answer";
        try (HttpClient http = HttpClient.newHttpClient()) {
            while (System.nanoTime() - deadline < 0) {
                HttpRequest request = HttpRequest.newBuilder(URI.create(baseUrl + "/readyz"))
                        .timeout(Duration.ofSeconds(5))
                        .build();
                try {
                    HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
                    if (response.statusCode() == 200) {
                        return;
                    }
                    last = response.body();
                } catch (IOException e) {
                    last = e.toString();
                }
                LockSupport.parkNanos(POLL_NANOS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new IllegalStateException(baseUrl + " is not ready: " + last);
    }
}
