package io.weighbridge.testkit.rules;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Looks at a module's main sources and classes once and lists every breach of the house rules. */
public final class HouseInspection {

    private HouseInspection() {}

    /**
     * Inspects a module.
     *
     * @param module its folder, with {@code src/main/java} and {@code target/classes}
     * @param root its root package
     * @param schema the only database schema that it may write
     */
    public static List<Violation> of(Path module, String root, String schema) {
        List<Sources.SourceFile> files = Sources.below(module.resolve("src/main/java"));
        List<Violation> violations = new ArrayList<>(SourceRules.check(files));
        violations.addAll(SqlRules.check(files, schema));
        Path classes = module.resolve("target/classes");
        if (Files.isDirectory(classes)) {
            violations.addAll(new ClassRules(root).check(new ClassFileImporter().importPath(classes)));
        }
        return violations;
    }
}
