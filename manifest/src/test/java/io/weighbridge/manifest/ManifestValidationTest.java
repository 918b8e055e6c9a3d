package io.weighbridge.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weighbridge.ledger.identity.RevisionIdentity;
import io.weighbridge.manifest.StoredWeightManifest.Fragment;
import io.weighbridge.manifest.StoredWeightManifest.PayloadObject;
import io.weighbridge.manifest.StoredWeightManifest.Tensor;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each rule broken alone, in a manifest that is valid otherwise. */
class ManifestValidationTest {

    private static final long MAX = (1L << 53) - 1;
    private static final String DIGEST = "a".repeat(64);

    private final List<PayloadObject> objects = new ArrayList<>();
    private final List<Tensor> tensors = new ArrayList<>();
    private final List<Fragment> fragments = new ArrayList<>();
    private final Map<String, String> attributes = new HashMap<>();
    private RevisionIdentity identity = GoldenManifest.IDENTITY;
    private Instant createdAt = Instant.EPOCH;

    /** A tensor {@code w} of six bytes, whole in an object {@code o}. */
    @BeforeEach
    void oneTensorInOneObject() {
        objects.add(new PayloadObject("o", 6, DIGEST));
        tensors.add(Tensor.of("w", Dtype.U8, List.of(2L, 3L)));
        fragments.add(new Fragment("w", List.of(0L, 0L), List.of(2L, 3L), "o", 0, 6));
        assertThat(problems()).isEmpty();
    }

    @Test
    void paddingBeforeARangeIsAllowedAfterTheLastItIsNot() {
        objects.set(0, new PayloadObject("o", 260, DIGEST));
        fragments.set(0, new Fragment("w", List.of(0L, 0L), List.of(2L, 3L), "o", 254, 6));
        assertThat(problems()).isEmpty();

        objects.set(0, new PayloadObject("o", 261, DIGEST));
        assertRefused("objects[o].size", "is 261, but its last range ends at 260");
    }

    @Test
    void scalarsAndEmptyTensorsAreTensors() {
        tensors.add(Tensor.of("scalar", Dtype.F64, List.of()));
        tensors.add(Tensor.of("empty", Dtype.F64, List.of(3L, 0L)));
        fragments.add(new Fragment("scalar", List.of(), List.of(), "p", 0, 8));
        objects.add(new PayloadObject("p", 8, DIGEST));
        assertThat(problems()).isEmpty();

        fragments.removeLast();
        objects.removeLast();
        assertRefused("tensors[scalar]", "its fragments cover 0 of 1 elements");
    }

    @Test
    void aScalarTwiceOverlaps() {
        tensors.set(0, Tensor.of("w", Dtype.U8, List.of()));
        fragments.clear();
        fragments.add(new Fragment("w", List.of(), List.of(), "o", 4, 1));
        fragments.add(new Fragment("w", List.of(), List.of(), "o", 5, 1));
        assertRefused("tensors[w]", "its fragments at [] and [] overlap");
    }

    @Test
    void anEmptyTensorHasNoFragments() {
        tensors.add(Tensor.of("empty", Dtype.U8, List.of(0L)));
        fragments.add(new Fragment("empty", List.of(0L), List.of(0L), "o", 6, 0));
        assertRefused("fragments[empty at [0]]", "is empty or leaves its tensor in dimension 0");
    }

    @Test
    void aGapIsCounted() {
        fragments.set(0, new Fragment("w", List.of(0L, 0L), List.of(2L, 2L), "o", 2, 4));
        assertRefused("tensors[w]", "its fragments cover 4 of 6 elements");
    }

    @Test
    void anOverlapIsLocated() {
        objects.set(0, new PayloadObject("o", 8, DIGEST));
        fragments.clear();
        fragments.add(new Fragment("w", List.of(0L, 0L), List.of(2L, 2L), "o", 0, 4));
        fragments.add(new Fragment("w", List.of(0L, 1L), List.of(2L, 2L), "o", 4, 4));
        assertRefused("tensors[w]", "its fragments at [0, 0] and [0, 1] overlap");
    }

    @Test
    void rangesOfAnObjectDoNotOverlap() {
        objects.set(0, new PayloadObject("o", 5, DIGEST));
        fragments.clear();
        fragments.add(new Fragment("w", List.of(0L, 0L), List.of(1L, 3L), "o", 0, 3));
        fragments.add(new Fragment("w", List.of(1L, 0L), List.of(1L, 3L), "o", 2, 3));
        assertRefused("fragments[w at [1, 0]].object_offset", "overlaps fragments[w at [0, 0]] in 'o'");
    }

    @Test
    void rangesLieInsideTheirObject() {
        for (long offset : new long[] {1, MAX, MAX + 1, Long.MAX_VALUE, -1}) {
            fragments.set(0, new Fragment("w", List.of(0L, 0L), List.of(2L, 3L), "o", offset, 6));
            assertThat(problems())
                    .extracting(ManifestProblem::name)
                    .as("%d", offset)
                    .contains("fragments[w at [0, 0]].object_offset");
        }
    }

    @Test
    void bytesFollowFromDtypeAndShape() {
        fragments.set(0, new Fragment("w", List.of(0L, 0L), List.of(2L, 3L), "o", 0, 5));
        assertThat(problems())
                .contains(new ManifestProblem("fragments[w at [0, 0]].bytes", "is 5, 6 elements of U8 are 6"));
        tensors.set(0, Tensor.of("w", Dtype.BF16, List.of(2L, 3L)));
        fragments.set(0, new Fragment("w", List.of(0L, 0L), List.of(2L, 3L), "o", 0, 6));
        assertRefused("fragments[w at [0, 0]].bytes", "is 6, 6 elements of BF16 are 12");
    }

    @Test
    void halfABoxOfHalfBytesIsNoFragment() {
        tensors.set(0, Tensor.of("w", Dtype.F4, List.of(2L, 3L)));
        objects.set(0, new PayloadObject("o", 3, DIGEST));
        fragments.set(0, new Fragment("w", List.of(0L, 0L), List.of(2L, 3L), "o", 0, 3));
        assertThat(problems()).isEmpty();

        fragments.set(0, new Fragment("w", List.of(0L, 0L), List.of(1L, 3L), "o", 0, 2));
        assertThat(problems()).extracting(ManifestProblem::name).contains("fragments[w at [0, 0]].shape");
    }

    @Test
    void fragmentsHaveTheirTensorsDimensions() {
        fragments.set(0, new Fragment("w", List.of(0L), List.of(6L), "o", 0, 6));
        assertRefused("fragments[w at [0]]", "has not the 2 dimensions of its tensor");
        fragments.set(0, new Fragment("w", List.of(1L, 0L), List.of(2L, 3L), "o", 0, 6));
        assertRefused("fragments[w at [1, 0]]", "is empty or leaves its tensor in dimension 0");
        fragments.set(0, new Fragment("w", List.of(0L, Long.MAX_VALUE), List.of(2L, 3L), "o", 0, 6));
        assertThat(problems()).hasSize(1);
        fragments.set(0, new Fragment("w", List.of(0L, 0L), List.of(2L, Long.MAX_VALUE), "o", 0, 6));
        assertThat(problems()).hasSize(1);
        fragments.set(0, new Fragment("w", List.of(0L, -1L), List.of(2L, 4L), "o", 0, 6));
        assertThat(problems()).hasSize(1);
    }

    @Test
    void fragmentsNameWhatIsThere() {
        fragments.add(new Fragment("x", List.of(), List.of(), "o", 6, 0));
        assertThat(problems()).contains(new ManifestProblem("fragments[x at []].tensor", "there is no tensor 'x'"));
        fragments.set(1, new Fragment("w", List.of(0L, 0L), List.of(2L, 3L), "p", 0, 6));
        assertRefused("fragments[w at [0, 0]].object", "there is no object 'p'");
    }

    @Test
    void everyObjectIsUsed() {
        objects.add(new PayloadObject("p", 1, DIGEST));
        assertRefused("objects[p]", "is not used by any fragment");
    }

    @Test
    void objectsAreNamedOnceSizedAndDigested() {
        objects.add(new PayloadObject("o", 6, DIGEST));
        assertRefused("objects[o].key", "is there twice");
        objects.removeLast();
        for (long size : new long[] {0, -1, MAX + 1, Long.MAX_VALUE}) {
            objects.set(0, new PayloadObject("o", size, DIGEST));
            assertThat(problems()).contains(new ManifestProblem("objects[o].size", "must be 1 to " + MAX));
        }
        objects.set(0, new PayloadObject("o", 6, "A".repeat(64)));
        assertRefused("objects[o].sha256_tree", "must be 64 lower-case hexadecimal digits");
        objects.set(0, new PayloadObject("x".repeat(1025), 6, DIGEST));
        assertThat(problems()).anySatisfy(problem -> assertThat(problem.name()).endsWith(".key"));
    }

    @Test
    void theManifestIsNotItsOwnPayload() {
        String key = identity.manifestKey();
        objects.set(0, new PayloadObject(key, 6, DIGEST));
        fragments.set(0, new Fragment("w", List.of(0L, 0L), List.of(2L, 3L), key, 0, 6));
        assertRefused("objects[" + key + "].key", "is the manifest's own key");
    }

    @Test
    void theSumOfSizesIsBounded() {
        tensors.set(0, Tensor.of("w", Dtype.U8, List.of(MAX)));
        objects.set(0, new PayloadObject("o", MAX, DIGEST));
        fragments.set(0, new Fragment("w", List.of(0L), List.of(MAX), "o", 0, MAX));
        assertThat(problems()).isEmpty();

        tensors.add(Tensor.of("x", Dtype.U8, List.of(1L)));
        objects.add(new PayloadObject("p", 1, DIGEST));
        fragments.add(new Fragment("x", List.of(0L), List.of(1L), "p", 0, 1));
        assertRefused("objects", "have more than " + MAX + " bytes");
    }

    @Test
    void tensorsAreNamedOnceAndPossible() {
        tensors.add(Tensor.of("w", Dtype.U8, List.of(2L, 3L)));
        assertRefused("tensors[w].name", "is there twice");
        tensors.set(1, Tensor.of("a\nb", Dtype.U8, List.of(0L)));
        assertRefused("tensors[a\nb].name", "must not contain control characters");
        tensors.set(1, Tensor.of("x", Dtype.U8, List.of(-1L)));
        assertRefused("tensors[x].shape", "dimension -1 is not within 0 to " + MAX);
        tensors.set(1, Tensor.of("x", Dtype.U8, List.of(1L << 40, 1L << 40)));
        assertThat(problems()).extracting(ManifestProblem::name).containsExactly("tensors[x].shape");
    }

    @Test
    void placesAndShardDimsAreBounded() {
        tensors.set(0, new Tensor("w", Dtype.U8, List.of(2L, 3L), -1L, MAX + 1, List.of(0L, 1L), null));
        assertThat(problems())
                .containsExactly(
                        new ManifestProblem("tensors[w].layer", "must be 0 to " + MAX),
                        new ManifestProblem("tensors[w].expert", "must be 0 to " + MAX));
        tensors.set(0, new Tensor("w", Dtype.U8, List.of(2L, 3L), MAX, 0L, List.of(2L), null));
        assertRefused("tensors[w].shard_dims", "2 is not a dimension of the shape");
        for (List<Long> wrong : List.of(List.of(1L, 0L), List.of(1L, 1L))) {
            tensors.set(0, new Tensor("w", Dtype.U8, List.of(2L, 3L), null, null, wrong, null));
            assertRefused("tensors[w].shard_dims", "must ascend");
        }
    }

    @Test
    void anAliasPointsToATensorLikeItself() {
        tensors.add(new Tensor("a", Dtype.U8, List.of(2L, 3L), null, null, null, "w"));
        assertThat(problems()).isEmpty();
        tensors.set(1, new Tensor("a", Dtype.U8, List.of(2L, 3L), null, null, null, "x"));
        assertRefused("tensors[a].alias_of", "there is no tensor 'x'");
        tensors.set(1, new Tensor("a", Dtype.U8, List.of(2L, 3L), null, null, null, "a"));
        assertRefused("tensors[a].alias_of", "'a' is an alias itself");
        tensors.set(1, new Tensor("a", Dtype.I8, List.of(2L, 3L), null, null, null, "w"));
        assertRefused("tensors[a].alias_of", "'w' has another dtype or shape");
        tensors.set(1, new Tensor("a", Dtype.U8, List.of(6L), null, null, null, "w"));
        assertRefused("tensors[a].alias_of", "'w' has another dtype or shape");
        tensors.set(1, new Tensor("a", Dtype.U8, List.of(2L, 3L), null, null, null, "w"));
        fragments.add(new Fragment("a", List.of(0L, 0L), List.of(2L, 3L), "p", 0, 6));
        objects.add(new PayloadObject("p", 6, DIGEST));
        assertRefused("fragments[a at [0, 0]].tensor", "is an alias and has no fragments");
    }

    @Test
    void attributesAreBounded() {
        attributes.put("k", "v".repeat(8192));
        assertThat(problems()).isEmpty();
        attributes.put("k", "产".repeat(2731));
        assertRefused("attributes.k", "has 8193 bytes, at most 8192");
        attributes.put("k", "\uD800");
        assertRefused("attributes.k", "is not well-formed Unicode");
        attributes.remove("k");
        attributes.put("", "");
        assertRefused("attributes.", "must have 1 to 1024 UTF-8 bytes, has 0");
        attributes.clear();
        for (int i = 0; i < 257; i++) {
            attributes.put("k" + i, "");
        }
        assertRefused("attributes", "has 257 entries, at most 256 are allowed");
    }

    @Test
    void theManifestKeyAndTheTimeHaveBounds() {
        identity = new RevisionIdentity("default", "产".repeat(341), "m", "r", 1);
        assertThat(problems()).extracting(ManifestProblem::name).containsExactly("manifest_key");
        identity = GoldenManifest.IDENTITY;
        createdAt = Instant.parse("+10000-01-01T00:00:00Z");
        assertRefused("created_at", "must lie in the years 0000 to 9999");
    }

    @Test
    void nothingIsNotAManifest() {
        objects.clear();
        tensors.clear();
        fragments.clear();
        assertRefused("objects", "must not be empty");
    }

    @Test
    void aProblemIsOneLineWhateverItsName() {
        assertThat(new ManifestProblem("a\n\u001b[2Jé", "x")).hasToString("a\\u000a\\u001b[2Jé: x");
        assertThat(new ManifestProblem("", "x")).hasToString("x");
    }

    @Test
    void allProblemsAreReportedUpToAHundred() {
        for (int i = 0; i < 150; i++) {
            objects.add(new PayloadObject("unused-" + i, 1, DIGEST));
        }
        assertThat(problems()).hasSize(101).last().isEqualTo(new ManifestProblem("", "and 50 more problems"));
        assertThatThrownBy(() -> ManifestWriter.write(manifest()))
                .isInstanceOfSatisfying(
                        ManifestException.class, e -> assertThat(e.problems()).hasSize(101))
                .hasMessageStartingWith("objects[unused-0]: is not used by any fragment\nobjects[");
    }

    private StoredWeightManifest manifest() {
        return new StoredWeightManifest(identity, createdAt, objects, tensors, fragments, attributes);
    }

    private List<ManifestProblem> problems() {
        return ManifestValidation.problemsOf(manifest());
    }

    private void assertRefused(String name, String message) {
        assertThat(problems()).containsExactly(new ManifestProblem(name, message));
    }
}
