package io.weighbridge.ledger.http.openapi;

import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A committed document, for tests: code and file must agree, and callers made from the file must keep working (spec
 * 5.4). {@code -Dweighbridge.docs.write=true} writes the file; a change that breaks callers is written only with
 * {@code -Dweighbridge.docs.break=true} too.
 */
public final class PublishedDocument {

    private static final String WRITE = "weighbridge.docs.write";
    private static final String BREAK = "weighbridge.docs.break";

    private PublishedDocument() {}

    /**
     * Compares a document with its file, or writes it.
     *
     * @param file such as {@code ../openapi/lease.yaml}
     * @param generated YAML, from the code
     * @throws AssertionError when they differ, saying where and what to do
     */
    public static void check(Path file, String generated) {
        try {
            String published = Files.exists(file) ? Files.readString(file) : "";
            if (published.equals(generated)) {
                return;
            }
            List<String> broken = published.isEmpty() ? List.of() : breaks(published, generated);
            boolean mayBreak = Boolean.getBoolean(BREAK);
            if (Boolean.getBoolean(WRITE) && (broken.isEmpty() || mayBreak)) {
                Files.createDirectories(file.toAbsolutePath().getParent());
                Files.writeString(file, generated, StandardCharsets.UTF_8);
                return;
            }
            throw new AssertionError(file + " is not what the code says; run with -D" + WRITE + "=true"
                    + (broken.isEmpty()
                            ? ""
                            : " and, since callers would break, -D" + BREAK + "=true: " + String.join("; ", broken))
                    + "\n" + firstDifference(published, generated));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** How callers made from the first document would fail against the second, a sentence each. */
    public static List<String> breaks(String published, String generated) {
        YAMLMapper yaml = new YAMLMapper();
        try {
            return new Compatibility(yaml.readTree(published), yaml.readTree(generated)).breaks();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String firstDifference(String published, String generated) {
        List<String> before = published.lines().toList();
        List<String> after = generated.lines().toList();
        int same = 0;
        while (same < before.size() && same < after.size() && before.get(same).equals(after.get(same))) {
            same++;
        }
        return "line " + (same + 1) + ":\n- " + (same < before.size() ? before.get(same) : "(end)") + "\n+ "
                + (same < after.size() ? after.get(same) : "(end)");
    }
}
