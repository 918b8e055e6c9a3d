package io.weighbridge.testkit.rules;

import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreePathScanner;
import io.weighbridge.testkit.rules.Sources.SourceFile;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The rules for SQL in string literals: where it may write, and what. The GRANTs say the same; this says it sooner. */
final class SqlRules {

    /** A verb that writes, and the table it writes to. Upper case, so that prose is not taken for SQL. */
    private static final Pattern WRITE = Pattern.compile(
            "\\b(INSERT\\s+INTO|DELETE\\s+FROM|UPDATE|MERGE\\s+INTO|TRUNCATE(?:\\s+TABLE)?)\\s+(?:ONLY\\s+)?"
                    + "([a-z_][a-z0-9_]*|%s)(?:\\.([a-z_][a-z0-9_]*|%s))?");

    private static final Pattern DEFINE =
            Pattern.compile("\\b(CREATE|ALTER|DROP)\\s+(TABLE|INDEX|VIEW|FUNCTION|ROLE|SCHEMA)\\b");

    private SqlRules() {}

    /** @param schema the only one that this module may write */
    static List<Violation> check(List<SourceFile> files, String schema) {
        List<Violation> violations = new ArrayList<>();
        for (SourceFile file : files) {
            new TreePathScanner<@Nullable Void, @Nullable Void>() {
                @Override
                public @Nullable Void visitLiteral(LiteralTree literal, @Nullable Void nothing) {
                    if (literal.getKind() == Tree.Kind.STRING_LITERAL && literal.getValue() instanceof String text) {
                        long position = file.trees().getSourcePositions().getStartPosition(file.tree(), literal);
                        checkText(file, file.at(file.line(position)), text, schema, violations);
                    }
                    return null;
                }
            }.scan(file.tree(), null);
        }
        return violations;
    }

    private static void checkText(
            SourceFile file, String where, String text, String schema, List<Violation> violations) {
        Matcher writes = WRITE.matcher(text);
        while (writes.find()) {
            String verb = writes.group(1).replaceAll("\\s+", " ");
            if (!isWrite(text, writes)) {
                continue;
            }
            String owner = writes.group(3) == null ? null : writes.group(2);
            if (!(file.packageName() + ".").contains(".postgres.")) {
                violations.add(new Violation(
                        Rule.WRITING_SQL, where, verb + " outside a postgres room: only there may SQL write"));
            } else if (owner == null) {
                violations.add(new Violation(
                        Rule.WRITING_SQL, where, verb + " " + writes.group(2) + ": name the schema, " + schema + "."));
            } else if (!owner.equals(schema)) {
                violations.add(new Violation(
                        Rule.WRITING_SQL,
                        where,
                        verb + " " + owner + "." + writes.group(3) + ": a service writes its own schema only, " + schema
                                + "; ask the other service by its commands"));
            }
        }
        if (DEFINE.matcher(text).find()) {
            violations.add(
                    new Violation(Rule.WRITING_SQL, where, "the schema changes by migrations in ledger/store only"));
        }
    }

    /** {@code FOR UPDATE OF r} and {@code DO UPDATE SET} name no table. */
    private static boolean isWrite(String text, Matcher match) {
        if (!match.group(1).equals("UPDATE")) {
            return true;
        }
        String before = text.substring(0, match.start()).stripTrailing();
        return !before.endsWith("FOR") && !before.endsWith("KEY") && !before.endsWith("DO");
    }
}
