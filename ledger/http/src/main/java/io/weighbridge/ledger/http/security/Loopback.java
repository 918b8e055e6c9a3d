package io.weighbridge.ledger.http.security;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;

/** What counts as this host: addresses by their bits, names by a closed list; no resolver can be asked to lie. */
final class Loopback {

    private static final Pattern IPV4 = Pattern.compile("127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}");
    private static final Pattern PORT = Pattern.compile(":\\d{1,5}$");

    private Loopback() {}

    static boolean isLocal(@Nullable InetSocketAddress remote) {
        return remote != null
                && remote.getAddress() != null
                && remote.getAddress().isLoopbackAddress();
    }

    /** A listener on this address can be reached from this host only; an absent address is every interface. */
    static boolean isLocal(@Nullable InetAddress listener) {
        return listener != null && listener.isLoopbackAddress();
    }

    /** No page of another site made a browser send this: it names this host and, if any, an origin on it. */
    static boolean isAddressedToThisHost(ServerHttpRequest request) {
        HttpHeaders headers = request.getHeaders();
        String host = headers.getFirst(HttpHeaders.HOST);
        if (host == null || !isLocalName(PORT.matcher(host).replaceFirst(""))) {
            return false;
        }
        String origin = headers.getOrigin();
        return origin == null || isLocalOrigin(origin);
    }

    private static boolean isLocalOrigin(String origin) {
        try {
            String host = new URI(origin).getHost();
            return host != null && isLocalName(host);
        } catch (URISyntaxException e) {
            return false;
        }
    }

    private static boolean isLocalName(String name) {
        return name.toLowerCase(Locale.ROOT).equals("localhost")
                || name.equals("[::1]")
                || IPV4.matcher(name).matches();
    }
}
