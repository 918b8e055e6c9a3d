package io.weighbridge.testkit.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Goal: each rule finds what it forbids and leaves what it allows. Method: small modules, written and compiled here. */
class HouseInspectionTest {

    @TempDir
    Path module;

    /** Rule, package, file name, text; each breaks this rule and no other. */
    static Stream<Arguments> breaches() {
        String typed = "/** A. */ public class A { %s }";
        return Stream.of(
                breach(Rule.PLAIN_DOMAIN, "x.domain", typed.formatted("reactor.core.publisher.Mono<String> m;")),
                breach(Rule.PLAIN_DOMAIN, "x.domain", typed.formatted("Object o = java.time.Instant.now();")),
                breach(Rule.PLAIN_DOMAIN, "x.domain", typed.formatted("Object o = java.time.Clock.systemUTC();")),
                breach(Rule.PLAIN_DOMAIN, "x.domain", typed.formatted("Object o = java.util.UUID.randomUUID();")),
                breach(Rule.PLAIN_DOMAIN, "x.domain", typed.formatted("Object o = new java.security.SecureRandom();")),
                breach(Rule.PLAIN_DOMAIN, "x.domain", typed.formatted("long o = System.nanoTime();")),
                breach(Rule.PLAIN_DOMAIN, "x.domain", typed.formatted("Object o = java.nio.file.Path.of(\"x\");")),
                breach(
                        Rule.HTTP_STATUS,
                        "x.application",
                        typed.formatted("Object o = org.springframework.http.HttpStatus.OK;")),
                breach(Rule.BLOCKING, "x", typed.formatted("void f() throws Exception { Thread.sleep(1); }")),
                breach(
                        Rule.BLOCKING,
                        "x",
                        typed.formatted("Object f(reactor.core.publisher.Mono<String> m) { return m.block(); }")),
                breach(Rule.WRITING_SQL, "x", typed.formatted("String s = \"DELETE FROM mine.t\";")),
                breach(Rule.WRITING_SQL, "x.postgres", typed.formatted("String s = \"UPDATE other.t SET a = 1\";")),
                breach(Rule.WRITING_SQL, "x.postgres", typed.formatted("String s = \"INSERT INTO t VALUES (1)\";")),
                breach(Rule.WRITING_SQL, "x.postgres", typed.formatted("String s = \"CREATE TABLE mine.t ()\";")),
                breach(Rule.NAMES, "x", "/** A. */ public class NodeManager { }"),
                breach(Rule.NAMES, "x.util", "class A { }"),
                breach(Rule.JAVADOC, "x", "public class A { }"),
                breach(
                        Rule.NO_DEFAULT,
                        "x.domain",
                        typed.formatted(
                                "int f(boolean b, Object o) { return switch (o) { case String s -> 1; default -> 2; }; }")),
                breach(Rule.BUDGET, "x", typed.formatted("void f() {" + "\n;".repeat(80) + "}")),
                breach(Rule.BUDGET, "x", typed.formatted("A(int a, int b, int c, int d, int e, int f, int g) {}")),
                breach(Rule.BUDGET, "x", typed.formatted("String s = \"" + "x".repeat(120) + "\";")),
                breach(Rule.BUDGET, "x", typed.formatted("\n".repeat(400))));
    }

    private static Arguments breach(Rule rule, String subPackage, String text) {
        return Arguments.of(rule, subPackage, text);
    }

    @ParameterizedTest
    @MethodSource("breaches")
    void isFound(Rule rule, String subPackage, String text) throws IOException {
        write(subPackage, text);
        assertThat(inspect()).isNotEmpty().allMatch(violation -> violation.rule() == rule, rule.name());
    }

    @Test
    void roomsAreKeptApart() throws IOException {
        write("x.http", "/** A. */ public class A { root.x.postgres.A a; root.x.application.A b; }");
        write(
                "x.application",
                "/** A. */ public class A { root.x.domain.A a; root.x.postgres.A b; root.x.calls.A c; }");
        write("x.postgres", "/** A. */ public class A { root.x.domain.A a; root.x.application.A b; }");
        write("x.calls", "/** A. */ public class A { root.x.domain.A a; }");
        write("x.domain", "/** A. */ public class A { root.y.domain.A a; root.x.http.A b; }");
        write("y.domain", "/** A. */ public class A { }");
        write("config", "/** A. */ public class A { root.x.http.A a; root.x.postgres.A b; }");
        assertThat(inspect())
                .filteredOn(violation -> violation.rule() == Rule.ROOMS)
                .extracting(Violation::where)
                .containsExactlyInAnyOrder(
                        "http does not use postgres, calls, config",
                        "postgres does not use http, application, calls, config",
                        "domain does not use http, application, postgres, calls, config");
    }

    @Test
    void aPackageWithoutInfoIsFound() throws IOException {
        write("x", "class A { }");
        Files.delete(module.resolve("src/main/java/root/x/package-info.java"));
        assertThat(inspect()).extracting(Violation::rule).containsExactly(Rule.PACKAGE_INFO);
        file("x", "package-info.java", "package root.x;");
        assertThat(inspect()).extracting(Violation::rule).containsExactly(Rule.PACKAGE_INFO);
    }

    @Test
    void whatIsAllowedIsLeftAlone() throws IOException {
        write("x.domain", """
                /** A. */
                public record A(byte[] a, long[][] b, String[] c, java.net.URI d, int e, int f, int g, int h) {
                    enum Kind { ONE, TWO }
                    static int f(Kind kind, java.time.Instant now) {
                        return switch (kind) { case ONE -> 1; case TWO -> (int) now.getEpochSecond(); };
                    }
                    static byte[] mac() throws Exception { return javax.crypto.Mac.getInstance("x").doFinal(); }
                }
                """);
        write("x.http", "/** A. */ public class A { Object o = org.springframework.http.HttpStatus.OK; }");
        write("x.postgres", """
                /** Update the row, or DELETE FROM other.t in a comment. */
                public class A {
                    String a = "INSERT INTO mine.t (a) VALUES (1) ON CONFLICT (a) DO UPDATE SET a = 2";
                    String b = "SELECT * FROM mine.t r FOR NO KEY UPDATE OF r SKIP LOCKED";
                    String c = "WITH c AS (SELECT 1 FOR UPDATE) UPDATE mine.t SET a = 1";
                }
                """);
        write("x", "class A { Object f(switchless o) { return o; } interface switchless {} }");
        assertThat(inspect()).isEmpty();
    }

    @Test
    void excusesCoverOnePlaceOfOneRule() {
        Violation violation = new Violation(Rule.BUDGET, "a/B.java:7", "has 130 columns");
        assertThat(new Excuse(Rule.BUDGET, "B.java", "generated").covers(violation))
                .isTrue();
        assertThat(new Excuse(Rule.NAMES, "B.java", "generated").covers(violation))
                .isFalse();
        assertThat(new Excuse(Rule.BUDGET, "C.java", "generated").covers(violation))
                .isFalse();
    }

    private void write(String subPackage, String text) throws IOException {
        String name = text.replaceAll("(?s).*?(?:class|record) (\\w+).*", "$1");
        file(subPackage, name + ".java", "package root." + subPackage + ";\n" + text);
        file(
                subPackage,
                "package-info.java",
                "/** A room. */\n@org.jspecify.annotations.NullMarked\npackage root." + subPackage + ";\n");
    }

    private void file(String subPackage, String name, String text) throws IOException {
        Path folder = module.resolve("src/main/java/root").resolve(subPackage.replace('.', '/'));
        Files.createDirectories(folder);
        Files.writeString(folder.resolve(name), text);
    }

    /** The test kit does not know Spring: a stand-in, outside the inspected sources. */
    private void writeHttpStatus() throws IOException {
        Path folder = Files.createDirectories(module.resolve("elsewhere"));
        Files.writeString(
                folder.resolve("HttpStatus.java"), "package org.springframework.http; public enum HttpStatus { OK }");
    }

    private List<Violation> inspect() throws IOException {
        writeHttpStatus();
        Path classes = Files.createDirectories(module.resolve("target/classes"));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<Path> files;
        try (Stream<Path> walk = Files.walk(module)) {
            files = walk.filter(path -> path.toString().endsWith(".java")).toList();
        }
        List<String> errors = new ArrayList<>();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            boolean compiled = compiler.getTask(
                            null,
                            manager,
                            diagnostic -> errors.add(diagnostic.toString()),
                            List.of("-d", classes.toString(), "-proc:none"),
                            null,
                            manager.getJavaFileObjectsFromPaths(files))
                    .call();
            assertThat(compiled).as(errors.toString()).isTrue();
        }
        return HouseInspection.of(module, "root", "mine");
    }
}
