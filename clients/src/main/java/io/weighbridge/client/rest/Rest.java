package io.weighbridge.client.rest;

import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.Problem.FieldError;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.wire.ProblemBody;
import io.weighbridge.wire.WireJson;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * JSON over HTTP with problems as {@link ProblemException}. Unlike the servers it tolerates unknown fields, so that a
 * newer server can be used.
 */
public final class Rest {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(90);

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_TIMEOUT)
            .build();
    private final JsonMapper json = WireJson.configure(JsonMapper.builder())
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();
    private final @Nullable String token;

    /** @param token the bearer token, or null to go without */
    public Rest(@Nullable String token) {
        this.token = token;
    }

    /** The mapper with the wire's conventions. */
    public JsonMapper json() {
        return json;
    }

    /** One request being put together. */
    public Call call(String method, String baseUrl, String path) {
        return new Call(method, baseUrl, path);
    }

    /** One request: headers, query and body are added, then it is sent once. */
    public final class Call {

        private final String method;
        private final String url;
        private final Map<String, String> headers = new LinkedHashMap<>();
        private final StringBuilder query = new StringBuilder();
        private BodyPublisher body = BodyPublishers.noBody();
        private Duration timeout = CALL_TIMEOUT;

        private Call(String method, String baseUrl, String path) {
            this.method = method;
            this.url = baseUrl + path;
        }

        /** Adds a header, unless the value is null. */
        public Call header(String name, @Nullable Object value) {
            if (value != null) {
                headers.put(name, value.toString());
            }
            return this;
        }

        /** The fence: the generation that is expected. */
        public Call ifMatch(long generation) {
            return header("If-Match", "\"" + generation + "\"");
        }

        /** Adds a query parameter, percent-encoded once, unless the value is null. */
        public Call query(String name, @Nullable Object value) {
            if (value != null) {
                query.append(query.isEmpty() ? '?' : '&')
                        .append(name)
                        .append('=')
                        .append(URLEncoder.encode(value.toString(), StandardCharsets.UTF_8)
                                .replace("+", "%20"));
            }
            return this;
        }

        public Call body(Object value) {
            headers.put("Content-Type", "application/json");
            body = BodyPublishers.ofByteArray(json.writeValueAsBytes(value));
            return this;
        }

        /** Bytes as they are. */
        public Call content(BodyPublisher bytes) {
            headers.put("Content-Type", "application/octet-stream");
            body = bytes;
            return this;
        }

        public Call timeout(Duration limit) {
            timeout = limit;
            return this;
        }

        /** Sends it and reads the answer. */
        public <T> T as(Class<T> type) {
            return read(send(BodyHandlers.ofInputStream()), type);
        }

        /** Sends it and ignores a successful answer's body. */
        public void done() {
            try (InputStream in = send(BodyHandlers.ofInputStream()).body()) {
                in.skip(Long.MAX_VALUE);
            } catch (IOException e) {
                throw unavailable(e);
            }
        }

        /** Sends it and hands over the open answer, which is a success. */
        public HttpResponse<InputStream> open() {
            return send(BodyHandlers.ofInputStream());
        }

        private HttpResponse<InputStream> send(HttpResponse.BodyHandler<InputStream> handler) {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + query))
                    .timeout(timeout)
                    .method(method, body);
            headers.forEach(request::header);
            if (token != null) {
                request.header("Authorization", "Bearer " + token);
            }
            try {
                HttpResponse<InputStream> response = http.send(request.build(), handler);
                if (response.statusCode() >= 400) {
                    throw problem(response);
                }
                return response;
            } catch (HttpTimeoutException e) {
                throw new ProblemException(ProblemCode.DEADLINE_EXCEEDED, url + " did not answer in time");
            } catch (IOException e) {
                throw unavailable(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new ProblemException(ProblemCode.UNAVAILABLE, "interrupted");
            }
        }

        private <T> T read(HttpResponse<InputStream> response, Class<T> type) {
            try (InputStream in = response.body()) {
                return json.readValue(in, type);
            } catch (IOException | JacksonException e) {
                throw new ProblemException(ProblemCode.UNAVAILABLE, url + " sent an unreadable answer: " + e);
            }
        }

        private ProblemException problem(HttpResponse<InputStream> response) {
            try (InputStream in = response.body()) {
                byte[] bytes = in.readNBytes(1 << 20);
                ProblemBody problem = json.readValue(bytes, ProblemBody.class);
                return new ProblemException(new Problem(
                        problem.code(),
                        problem.detail(),
                        problem.currentGeneration(),
                        problem.errors().stream()
                                .map(error -> new FieldError(error.field(), error.message()))
                                .toList()));
            } catch (IOException | RuntimeException e) {
                return new ProblemException(
                        ProblemCode.UNAVAILABLE, url + " answered " + response.statusCode() + " without a problem");
            }
        }

        private ProblemException unavailable(IOException e) {
            String what = e instanceof ConnectException ? "cannot be reached" : "broke off (" + e + ")";
            return new ProblemException(ProblemCode.UNAVAILABLE, url + " " + what);
        }
    }
}
