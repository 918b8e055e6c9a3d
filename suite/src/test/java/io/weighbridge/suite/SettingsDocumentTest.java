package io.weighbridge.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Goal: {@code docs/settings.md} lists every setting with its default as the code has them. Method: read the settings'
 * records as text. {@code -Dweighbridge.docs.write=true} writes the document.
 */
class SettingsDocumentTest {

    private static final Path HOME = Path.of("..");
    private static final Path DOCUMENT = HOME.resolve("docs/settings.md");
    private static final Pattern RECORD = Pattern.compile(
            "(?s)/\\*\\*((?:(?!\\*/).)*)\\*/\\s*@ConfigurationProperties\\(\"([^\"]+)\"\\)\\s*(?:public )?record \\w+\\((.*?)\\)\\s*\\{");
    private static final Pattern PARAM = Pattern.compile("(?s)@param (\\w+) (.*?)(?=\\s*@param|\\z)");
    private static final Pattern COMPONENT = Pattern.compile(
            "(?:@DefaultValue(?:\\(\"([^\"]*)\"\\))?\\s*)?((?:@Nullable )?[\\w<>, ]+?) (\\w+)(?:,\\s*(?=@|[A-Z]|long|int|double|boolean)|\\s*$)");

    @Test
    void everySettingIsDocumented() throws IOException {
        String document = render();
        if (Boolean.getBoolean("weighbridge.docs.write")) {
            Files.writeString(DOCUMENT, document);
        }
        assertThat(Files.readString(DOCUMENT))
                .as("docs/settings.md; -Dweighbridge.docs.write=true rewrites it")
                .isEqualTo(document);
        assertThat(document).contains("`weighbridge.leases.read-lease-ttl-max`", "`weighbridge.ledger.url`");
    }

    private static String render() throws IOException {
        Map<String, String> rows = new TreeMap<>();
        try (Stream<Path> files = Files.walk(HOME)) {
            for (Path file :
                    files.filter(SettingsDocumentTest::isMainSource).sorted().toList()) {
                addRows(Files.readString(file), module(file), rows);
            }
        }
        return """
                # Settings

                Generated from the code. Settings are properties (`--name=value`), environment variables (`WEIGHBRIDGE_LEDGER_URL`) or
                lines of a YAML file; Spring Boot reads them all. `server.address` and `server.port` say where a service listens.

                | Setting | Default | Where | Meaning |
                |---|---|---|---|
                """ + String.join("", rows.values());
    }

    private static void addRows(String source, String module, Map<String, String> rows) {
        Matcher matcher = RECORD.matcher(source);
        while (matcher.find()) {
            String comment =
                    matcher.group(1).replaceAll("\\s*\\n\\s*\\* ?", " ").strip();
            Map<String, String> meanings = new HashMap<>();
            PARAM.matcher(comment).results().forEach(param -> meanings.put(param.group(1), param.group(2)));
            for (Component component : components(matcher.group(3))) {
                String name = matcher.group(2) + "." + kebab(component.name());
                String meaning = plain(meanings.getOrDefault(component.name(), "see " + matcher.group(2)));
                rows.merge(
                        name + " " + module,
                        "| `%s` | %s | %s | %s |%n".formatted(name, component.value(), module, meaning),
                        (a, b) -> a);
            }
        }
    }

    private record Component(String name, String value) {}

    private static List<Component> components(String text) {
        List<Component> components = new ArrayList<>();
        Matcher matcher = COMPONENT.matcher(text.strip());
        while (matcher.find()) {
            String given = matcher.group(1);
            boolean optional =
                    matcher.group(2).contains("@Nullable") || matcher.group().contains("@DefaultValue");
            components.add(new Component(
                    matcher.group(3), given != null ? "`" + given + "`" : optional ? "none" : "required"));
        }
        return components;
    }

    private static String plain(String comment) {
        return comment.replaceAll("\\{@link (?:[\\w.]*\\.)?(\\w+)}", "$1")
                .replaceAll("\\{@code ([^}]*)}", "`$1`")
                .replaceAll("\\s+", " ")
                .replace("|", "\\|")
                .strip();
    }

    private static String kebab(String name) {
        return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    private static boolean isMainSource(Path file) {
        return file.toString().endsWith(".java") && file.toString().contains("src/main/java");
    }

    private static String module(Path file) {
        String path = HOME.relativize(file).toString();
        return path.startsWith("ledger") ? "every service" : path.substring(0, path.indexOf('/'));
    }
}
