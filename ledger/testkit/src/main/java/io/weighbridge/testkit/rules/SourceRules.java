package io.weighbridge.testkit.rules;

import com.sun.source.tree.CaseTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.DefaultCaseLabelTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreePathScanner;
import io.weighbridge.testkit.rules.Sources.SourceFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import org.jspecify.annotations.Nullable;

/** The rules that look at source text: sizes, package-info, names, {@code default} in the domain. */
final class SourceRules {

    private static final Pattern NULL_MARKED = Pattern.compile("@([a-z]+\\.)*NullMarked\\b");
    private static final int LINE_LIMIT = 120;
    private static final int METHOD_BUDGET = 40;
    private static final int METHOD_LIMIT = 70;
    private static final int FILE_BUDGET = 300;
    private static final int FILE_LIMIT = 400;
    private static final int CONSTRUCTOR_LIMIT = 6;
    private static final Set<String> BANNED_PACKAGES =
            Set.of("util", "utils", "common", "commons", "helper", "helpers", "impl", "manager", "managers", "misc");
    private static final List<String> BANNED_SUFFIXES =
            List.of("Util", "Utils", "Helper", "Helpers", "Impl", "Manager");

    private SourceRules() {}

    static List<Violation> check(List<SourceFile> files) {
        List<Violation> violations = new ArrayList<>(packageInfos(files));
        for (SourceFile file : files) {
            checkLines(file, violations);
            checkPackageName(file, violations);
            new Scanner(file, violations).scan(file.tree(), null);
        }
        return violations;
    }

    private static List<Violation> packageInfos(List<SourceFile> files) {
        Map<String, String> informed = new LinkedHashMap<>();
        Map<String, SourceFile> first = new LinkedHashMap<>();
        for (SourceFile file : files) {
            if (file.path().endsWith("package-info.java")) {
                informed.put(file.packageName(), file.text());
            } else {
                first.putIfAbsent(file.packageName(), file);
            }
        }
        return first.entrySet().stream()
                .flatMap(entry -> packageInfo(entry.getValue(), informed.get(entry.getKey())))
                .toList();
    }

    private static Stream<Violation> packageInfo(SourceFile member, @Nullable String info) {
        if (info == null) {
            return Stream.of(new Violation(
                    Rule.PACKAGE_INFO,
                    member.packageName(),
                    "has no package-info.java; add one with @NullMarked and a sentence on what the package is for"));
        }
        if (!NULL_MARKED.matcher(info).find() || !info.contains("/**")) {
            return Stream.of(new Violation(
                    Rule.PACKAGE_INFO,
                    member.packageName(),
                    "its package-info.java needs @NullMarked and a Javadoc sentence"));
        }
        return Stream.empty();
    }

    private static void checkLines(SourceFile file, List<Violation> violations) {
        List<String> lines = file.text().lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).length() > LINE_LIMIT && !lines.get(i).startsWith("import ")) {
                violations.add(new Violation(
                        Rule.BUDGET,
                        file.at(i + 1),
                        "has " + lines.get(i).length() + " columns; the limit is " + LINE_LIMIT));
            }
        }
        if (lines.size() > FILE_LIMIT) {
            violations.add(new Violation(
                    Rule.BUDGET,
                    file.shown(),
                    "has " + lines.size() + " lines; the budget is " + FILE_BUDGET + ", the limit " + FILE_LIMIT
                            + ": move a subject of its own into a file of its own"));
        }
    }

    private static void checkPackageName(SourceFile file, List<Violation> violations) {
        for (String part : file.packageName().split("\\.")) {
            if (BANNED_PACKAGES.contains(part)) {
                violations.add(new Violation(
                        Rule.NAMES,
                        file.packageName(),
                        "'" + part + "' says nothing; name the package by its subject"));
            }
        }
    }

    private static final class Scanner extends TreePathScanner<@Nullable Void, @Nullable Void> {

        private final SourceFile file;
        private final List<Violation> violations;

        Scanner(SourceFile file, List<Violation> violations) {
            this.file = file;
            this.violations = violations;
        }

        @Override
        public @Nullable Void visitClass(ClassTree type, @Nullable Void nothing) {
            String name = type.getSimpleName().toString();
            for (String suffix : BANNED_SUFFIXES) {
                if (name.endsWith(suffix)) {
                    violations.add(new Violation(
                            Rule.NAMES, at(type), "'" + suffix + "' says nothing; name " + name + " by what it does"));
                }
            }
            boolean topLevel = getCurrentPath().getParentPath().getLeaf().getKind() == Tree.Kind.COMPILATION_UNIT;
            if (topLevel
                    && type.getModifiers().getFlags().contains(Modifier.PUBLIC)
                    && file.trees().getDocComment(getCurrentPath()) == null) {
                violations.add(new Violation(
                        Rule.JAVADOC,
                        at(type),
                        "public type " + name + " has no Javadoc; say in a sentence what it is"));
            }
            return super.visitClass(type, nothing);
        }

        @Override
        public @Nullable Void visitMethod(MethodTree method, @Nullable Void nothing) {
            if (method.getBody() != null) {
                checkLength(method);
            }
            checkConstructor(method);
            return super.visitMethod(method, nothing);
        }

        @Override
        public @Nullable Void visitCase(CaseTree branch, @Nullable Void nothing) {
            boolean isDefault = branch.getLabels().stream().anyMatch(DefaultCaseLabelTree.class::isInstance);
            if (isDefault && (file.packageName() + ".").contains(".domain.")) {
                violations.add(new Violation(
                        Rule.NO_DEFAULT,
                        at(branch),
                        "no default in the domain: list the cases, and the compiler finds the missing one"));
            }
            return super.visitCase(branch, nothing);
        }

        private void checkLength(MethodTree method) {
            var positions = file.trees().getSourcePositions();
            long first = file.line(positions.getStartPosition(file.tree(), method));
            long last = file.line(positions.getEndPosition(file.tree(), method));
            if (last - first + 1 > METHOD_LIMIT) {
                violations.add(new Violation(
                        Rule.BUDGET,
                        at(method),
                        "method " + method.getName() + " has " + (last - first + 1) + " lines; the budget is "
                                + METHOD_BUDGET + ", the limit " + METHOD_LIMIT));
            }
        }

        /** A record's parts are data, and may be more. */
        private void checkConstructor(MethodTree method) {
            boolean ofRecord = getCurrentPath().getParentPath().getLeaf().getKind() == Tree.Kind.RECORD;
            if (method.getName().contentEquals("<init>")
                    && !ofRecord
                    && method.getParameters().size() > CONSTRUCTOR_LIMIT) {
                violations.add(new Violation(
                        Rule.BUDGET,
                        at(method),
                        "the constructor takes " + method.getParameters().size() + " parameters; the limit is "
                                + CONSTRUCTOR_LIMIT + ": the class does too much, or some belong together"));
            }
        }

        private String at(Tree tree) {
            return file.at(file.line(file.trees().getSourcePositions().getStartPosition(file.tree(), tree)));
        }
    }
}
