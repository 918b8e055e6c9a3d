package io.weighbridge.ledger.key;

import io.weighbridge.ledger.identity.RevisionIdentity;
import java.io.ByteArrayOutputStream;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;

/** Canonical keys and digests of a revision and its objects (spec 1.3, with golden vectors). */
public final class CanonicalKeys {

    /** What the id of every managed group starts with. */
    public static final String GROUP_PREFIX = "weight:";

    private static final String UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~";
    private static final HexFormat UPPER_HEX = HexFormat.of().withUpperCase();

    private CanonicalKeys() {}

    /**
     * Percent-encodes every UTF-8 byte outside RFC 3986's unreserved characters, with upper-case hexadecimal digits.
     * {@link java.net.URLEncoder} differs in space, {@code *} and {@code ~}.
     */
    public static String encode(String text) {
        StringBuilder encoded = new StringBuilder(text.length() + 16);
        for (byte b : Utf8.bytes(text)) {
            if (b > 0 && UNRESERVED.indexOf(b) >= 0) {
                encoded.append((char) b);
            } else {
                encoded.append('%').append(UPPER_HEX.toHexDigits(b));
            }
        }
        return encoded.toString();
    }

    /** The manifest's key; the tenant is not in it, since objects are scoped by tenant separately. */
    public static String manifestKey(RevisionIdentity identity) {
        // Not by a format: %d writes the digits of the default locale.
        return "weights/"
                + encode(identity.namespace()) + "/"
                + encode(identity.resourceId()) + "/"
                + encode(identity.revision()) + "/"
                + identity.weightGeneration() + "/manifest";
    }

    public static String payloadGroupId(RevisionIdentity identity) {
        return GROUP_PREFIX
                + Sha256.hex(lengthPrefixed(List.of(
                        identity.tenantId(),
                        identity.namespace(),
                        identity.resourceId(),
                        identity.revision(),
                        Long.toString(identity.weightGeneration()))));
    }

    /** The digest of the payload keys, without the manifest's, in the order of their unsigned UTF-8 bytes. */
    public static String payloadKeysSha256(Collection<String> payloadKeys) {
        return Sha256.hex(lengthPrefixed(payloadKeys.stream().sorted(Utf8.ORDER).toList()));
    }

    /**
     * The id under which the ledger and the agents know an object: SHA-256 of its length-prefixed tenant and key, so
     * that an agent can check a key against a token without asking.
     */
    public static String objectId(String tenantId, String key) {
        return Sha256.hex(lengthPrefixed(List.of(tenantId, key)));
    }

    /** LP of spec 1.3: for each value its byte length in decimal, a colon, the bytes, a line feed. */
    static byte[] lengthPrefixed(List<String> values) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (String value : values) {
            byte[] bytes = Utf8.bytes(value);
            out.writeBytes(Utf8.bytes(bytes.length + ":"));
            out.writeBytes(bytes);
            out.write('\n');
        }
        return out.toByteArray();
    }
}
