package io.weighbridge.ledger.http.paging;

import io.weighbridge.ledger.key.Sha256;
import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One list with its filters. It makes and reads the tokens of its own pages only: a token holds the last key of a page
 * and a digest over key and query. The digest finds mistakes, it is no secret: rows stay scoped by tenant in SQL.
 */
public final class PageQuery {

    private static final int DIGEST_BYTES = 12;
    private static final int TOKEN_CHARS_MAX = 16384;

    private final byte[] query;

    private PageQuery(byte[] query) {
        this.query = query;
    }

    /** A list's name, the tenant and every filter in a fixed order; an absent filter is null. */
    public static PageQuery of(String list, @Nullable Object... filters) {
        List<@Nullable String> parts = new ArrayList<>();
        parts.add(list);
        for (Object filter : filters) {
            parts.add(filter == null ? null : filter.toString());
        }
        return new PageQuery(Sha256.of(pack(parts)));
    }

    /** The token that goes on after the row with this key. */
    public String token(String... lastKey) {
        byte[] key = pack(Arrays.asList(lastKey));
        byte[] token = Arrays.copyOf(digest(key), DIGEST_BYTES + key.length);
        System.arraycopy(key, 0, token, DIGEST_BYTES, key.length);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(token);
    }

    /**
     * The page's answer out of one row more than it holds: a list ends when there is none.
     *
     * @param rows up to {@code pageSize + 1}
     * @param lastKey the key of a row
     */
    public <T> Page<T> page(List<T> rows, int pageSize, Function<T, List<String>> lastKey) {
        if (rows.size() <= pageSize) {
            return new Page<>(List.copyOf(rows), null);
        }
        List<T> page = List.copyOf(rows.subList(0, pageSize));
        return new Page<>(page, token(lastKey.apply(page.getLast()).toArray(String[]::new)));
    }

    /**
     * The key in a token.
     *
     * @throws ProblemException INVALID_ARGUMENT
     */
    List<String> decode(String token) {
        if (token.length() > TOKEN_CHARS_MAX) {
            throw invalid();
        }
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(token);
            if (bytes.length < DIGEST_BYTES) {
                throw invalid();
            }
            byte[] key = Arrays.copyOfRange(bytes, DIGEST_BYTES, bytes.length);
            if (!Arrays.equals(digest(key), Arrays.copyOf(bytes, DIGEST_BYTES))) {
                throw invalid();
            }
            return unpack(key);
        } catch (IllegalArgumentException | IOException e) {
            throw invalid();
        }
    }

    private byte[] digest(byte[] key) {
        byte[] both = Arrays.copyOf(query, query.length + key.length);
        System.arraycopy(key, 0, both, query.length, key.length);
        return Arrays.copyOf(Sha256.of(both), DIGEST_BYTES);
    }

    private static byte[] pack(List<@Nullable String> parts) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            for (String part : parts) {
                byte[] text = part == null ? new byte[0] : part.getBytes(StandardCharsets.UTF_8);
                out.writeInt(part == null ? -1 : text.length);
                out.write(text);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static List<String> unpack(byte[] key) throws IOException {
        List<String> parts = new ArrayList<>();
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(key));
        while (in.available() > 0) {
            int length = in.readInt();
            if (length < 0 || length > in.available()) {
                throw new IOException("a component is cut off");
            }
            parts.add(new String(in.readNBytes(length), StandardCharsets.UTF_8));
        }
        return List.copyOf(parts);
    }

    private static ProblemException invalid() {
        return new ProblemException(Problem.invalid("page_token", "is not a token of this list and these filters"));
    }
}
