package io.weighbridge.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.weighbridge.ledger.identity.RevisionIdentity;
import io.weighbridge.ledger.key.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One canonical form, and a refusal with the name for every damage to it. */
class ManifestReaderTest {

    private static final byte[] GOLDEN = GoldenManifest.JSON.getBytes(StandardCharsets.UTF_8);

    @Test
    void theCanonicalFormIsTheOneWrittenByHand() {
        assertThat(new String(ManifestWriter.write(GoldenManifest.manifest()), StandardCharsets.UTF_8))
                .isEqualTo(GoldenManifest.JSON);
        assertThat(ManifestReader.read(GOLDEN)).isEqualTo(GoldenManifest.manifest());
    }

    @Test
    void theReferenceFollowsFromTheManifest() {
        StoredWeightManifest manifest = ManifestReader.read(GOLDEN);

        assertThat(manifest.payloadCount()).isEqualTo(2);
        assertThat(manifest.logicalBytes()).isEqualTo(36);
        assertThat(manifest.payloadKeysSha256())
                .isEqualTo(Sha256.hex(("53:" + GoldenManifest.OBJECT_0 + "\n53:" + GoldenManifest.OBJECT_1 + "\n")
                        .getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void aReaderVerifiesDigestAndIdentity() {
        String digest = Sha256.hex(GOLDEN);

        assertThat(ManifestReader.readVerified(GOLDEN, digest, GoldenManifest.IDENTITY))
                .isEqualTo(GoldenManifest.manifest());
        assertThat(refusal(() -> ManifestReader.readVerified(GOLDEN, "0".repeat(64), GoldenManifest.IDENTITY)))
                .extracting(ManifestProblem::name)
                .containsExactly("manifest_sha256");
        RevisionIdentity other = new RevisionIdentity("default", "production", "llama-70b", "step-100", 8);
        assertThat(refusal(() -> ManifestReader.readVerified(GOLDEN, digest, other)))
                .extracting(ManifestProblem::name)
                .containsExactly("identity");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "\"version\":1} | \"version\": 1}",
                "\"version\":1} | ~\"version\":1} ~",
                "\"step\":\"100\" | \"step\":\"\\u0031\\u0030\\u0030\"",
                "\\n\" | \\u000a\"",
                "{\"attributes\" | {  \"attributes\"",
                "\"é\" | \"\\u00e9\"",
                "\"key\":\"weights/production | \"key\":\"weights\\/production"
            })
    void otherSpellingsOfTheSameContentAreRefused(String canonical, String other) {
        String json = GoldenManifest.JSON.replace(canonical, other);
        assertThat(json).isNotEqualTo(GoldenManifest.JSON);
        assertThat(refusal(() -> ManifestReader.read(json.getBytes(StandardCharsets.UTF_8))))
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.name()).startsWith("byte ");
                    assertThat(problem.message()).startsWith("is not canonical JSON");
                });
    }

    @Test
    void anotherOrderOfFieldsOrElementsIsRefused() {
        everyObject((path, object) -> {
            if (object.size() < 2) {
                return;
            }
            Map<String, Object> copy = new LinkedHashMap<>(object);
            String first = copy.keySet().iterator().next();
            object.remove(first);
            object.put(first, copy.get(first));
            assertThat(refusalOfTree())
                    .as(path)
                    .singleElement()
                    .satisfies(problem -> assertThat(problem.name()).startsWith("byte "));
            restore(object, copy);
        });
        for (String list : List.of("objects", "tensors", "fragments")) {
            List<Object> elements = list(at(root, list));
            elements.add(elements.removeFirst());
            assertThat(refusalOfTree()).as(list).isNotEmpty();
            elements.addFirst(elements.removeLast());
        }
        assertIntact();
    }

    @Test
    void everyMissingFieldIsNamed() {
        List<String> optional = List.of("layer", "expert", "shard_dims");
        everyObject((path, object) -> {
            for (String field : List.copyOf(object.keySet())) {
                if (path.equals("attributes") || optional.contains(field)) {
                    continue;
                }
                Map<String, Object> copy = new LinkedHashMap<>(object);
                object.remove(field);
                List<ManifestProblem> problems = refusalOfTree();
                if (field.equals("alias_of")) {
                    assertThat(problems).extracting(ManifestProblem::name).containsExactly("tensors[head]");
                } else {
                    assertThat(problems).containsExactly(new ManifestProblem(join(path, field), "is missing"));
                }
                restore(object, copy);
            }
        });
        assertIntact();
    }

    @Test
    void everyUnknownFieldIsNamed() {
        everyObject((path, object) -> {
            if (path.equals("attributes")) {
                return;
            }
            object.put("zzz", 1L);
            assertThat(refusalOfTree()).containsExactly(new ManifestProblem(join(path, "zzz"), "is not a known field"));
            object.remove("zzz");
        });
        assertIntact();
    }

    @Test
    void everyDuplicateFieldIsNamed() {
        everyObject((path, object) -> {
            for (String field : List.copyOf(object.keySet())) {
                Object value = at(object, field);
                String twice = JsonTree.print(value) + ",\"" + field + "\":" + JsonTree.print(value);
                object.put(field, new JsonTree.Raw(twice));
                assertThat(refusalOfTree()).containsExactly(new ManifestProblem(join(path, field), "is there twice"));
                object.put(field, value);
            }
        });
        assertIntact();
    }

    @Test
    void everyValueOfAnotherTypeIsNamed() {
        everyObject((path, object) -> {
            for (String field : List.copyOf(object.keySet())) {
                Object value = at(object, field);
                for (String wrong : List.of("null", "true", "1.5", "-1", "1e1", "{}", "[]", "\"\"", "0", "[[]]")) {
                    if (isSameType(value, wrong)) {
                        continue;
                    }
                    object.put(field, new JsonTree.Raw(wrong));
                    assertThat(refusalOfTree())
                            .as("%s.%s = %s", path, field, wrong)
                            .isNotEmpty()
                            .allSatisfy(problem -> assertThat(problem.name()).startsWith(join(path, field)));
                }
                object.put(field, value);
            }
        });
        assertIntact();
    }

    /** One more, or one letter more, in every value that has consequences. */
    @Test
    void everyChangedValueIsNamed() {
        everyObject((path, object) -> {
            for (String field : List.copyOf(object.keySet())) {
                Object value = at(object, field);
                for (Object changed : changes(value)) {
                    object.put(field, changed);
                    if (!isFree(path, object, field, value, changed)) {
                        String name = path.equals("identity") ? "identity" : elementName(object, field);
                        assertThat(refusalOfTree())
                                .as("%s.%s = %s", path, field, changed)
                                .anySatisfy(problem ->
                                        assertThat(problem.toString()).containsAnyOf(name, join(path, field)));
                    }
                }
                object.put(field, value);
            }
        });
        assertIntact();
    }

    @Test
    void nothingOfAnythingElseIsRead() {
        for (String json : List.of("", "{}", "[]", "null", "\uFEFF" + GoldenManifest.JSON, "{" + GoldenManifest.JSON)) {
            assertThatThrownBy(() -> ManifestReader.read(json.getBytes(StandardCharsets.UTF_8)))
                    .isInstanceOf(ManifestException.class);
        }
        for (int length = 0; length < GOLDEN.length; length++) {
            byte[] cut = Arrays.copyOf(GOLDEN, length);
            assertThatThrownBy(() -> ManifestReader.read(cut)).isInstanceOf(ManifestException.class);
        }
    }

    private final Map<String, Object> root = map(JsonTree.parse(GoldenManifest.JSON));

    private void everyObject(BiConsumer<String, Map<String, Object>> test) {
        visit("", root, test);
    }

    private static void visit(String path, Object value, BiConsumer<String, Map<String, Object>> test) {
        if (value instanceof Map<?, ?>) {
            test.accept(path, map(value));
            map(value).forEach((name, child) -> visit(join(path, name), child, test));
        } else if (value instanceof List<?> array) {
            for (int i = 0; i < array.size(); i++) {
                visit(path + "[" + i + "]", array.get(i), test);
            }
        }
    }

    /** What may have another value: nothing else in the manifest depends on it. */
    private static boolean isFree(String path, Map<String, Object> object, String field, Object value, Object changed) {
        boolean unreferenced = List.of("empty", "head").contains(value);
        return switch (field) {
            case "layer", "expert" -> true;
            case "name" -> unreferenced;
            case "shape" -> "empty".equals(object.get("name")) && ((List<?>) changed).contains(0L);
            case "shard_dims" -> changed.equals(List.of());
            default -> path.equals("attributes");
        };
    }

    private static List<Object> changes(Object value) {
        List<Object> changes = new ArrayList<>();
        switch (value) {
            case String text -> changes.add(text + "x");
            case Long number -> changes.add(number + 1);
            case List<?> array
            when !array.isEmpty() && array.getFirst() instanceof Long -> {
                for (int i = 0; i < array.size(); i++) {
                    List<Object> changed = new ArrayList<>(array);
                    changed.set(i, (Long) array.get(i) + 1);
                    changes.add(changed);
                }
                List<Object> longer = new ArrayList<>(array);
                longer.add(1L);
                changes.add(longer);
                changes.add(array.subList(1, array.size()));
            }
            default -> {}
        }
        return changes;
    }

    private static String elementName(Map<String, Object> object, String field) {
        for (String name : List.of("tensor", "name", "key")) {
            if (object.containsKey(name) && !name.equals(field)) {
                return at(object, name).toString();
            }
        }
        return field.equals("shard_dims") ? "shard_dims" : at(object, field).toString();
    }

    private static boolean isSameType(Object value, String json) {
        return switch (value) {
            case String text -> json.startsWith("\"");
            case Long number -> json.equals("0");
            case List<?> list -> json.equals("[]");
            default -> json.equals("{}");
        };
    }

    private List<ManifestProblem> refusalOfTree() {
        byte[] json = JsonTree.print(root).getBytes(StandardCharsets.UTF_8);
        return refusal(() -> ManifestReader.read(json));
    }

    private static List<ManifestProblem> refusal(Runnable read) {
        ManifestException e = catchThrowableOfType(ManifestException.class, read::run);
        assertThat(e).isNotNull();
        return e.problems();
    }

    private static void restore(Map<String, Object> object, Map<String, Object> copy) {
        object.clear();
        object.putAll(copy);
    }

    private void assertIntact() {
        assertThat(JsonTree.print(root)).isEqualTo(GoldenManifest.JSON);
    }

    private static Object at(Map<String, Object> object, String field) {
        return Objects.requireNonNull(object.get(field), field);
    }

    private static String join(String path, String field) {
        return path.isEmpty() ? field : path + "." + field;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object value) {
        return (Map<String, Object>) value;
    }

    @SuppressWarnings("unchecked")
    private static List<Object> list(Object value) {
        return (List<Object>) value;
    }
}
