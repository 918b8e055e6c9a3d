package io.weighbridge.testkit.rules;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitCallTarget;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The rules that look at compiled classes: who uses whom. */
final class ClassRules {

    private static final Set<String> REACTOR_WAITS =
            Set.of("block", "blockOptional", "blockFirst", "blockLast", "toIterable", "toStream");

    private final String root;

    /** @param root the module's root package */
    ClassRules(String root) {
        this.root = root;
    }

    List<Violation> check(JavaClasses classes) {
        return rules().entrySet().stream()
                .flatMap(rule -> check(rule.getKey(), rule.getValue(), classes))
                .toList();
    }

    private static Stream<Violation> check(ArchRule architecture, Rule rule, JavaClasses classes) {
        return architecture.allowEmptyShould(true).evaluate(classes).getFailureReport().getDetails().stream()
                .map(detail -> new Violation(rule, architecture.getDescription(), detail));
    }

    private Map<ArchRule, Rule> rules() {
        Map<ArchRule, Rule> rules = new LinkedHashMap<>();
        plainDomain().forEach(rule -> rules.put(rule, Rule.PLAIN_DOMAIN));
        rooms().forEach(rule -> rules.put(rule, Rule.ROOMS));
        rules.put(httpStatus(), Rule.HTTP_STATUS);
        waiting().forEach(rule -> rules.put(rule, Rule.BLOCKING));
        plainJava().forEach(rule -> rules.put(rule, Rule.PLAIN_JAVA));
        return rules;
    }

    private List<ArchRule> plainDomain() {
        DescribedPredicate<JavaClass> plain = resideInAnyPackage(
                "java..",
                "javax.crypto..",
                "org.jspecify..",
                root + "..domain..",
                "io.weighbridge.ledger.decision..",
                "io.weighbridge.ledger.problem..",
                "io.weighbridge.ledger.identity..",
                "io.weighbridge.ledger.key..",
                "io.weighbridge.ledger.token..",
                "io.weighbridge.ledger.vocabulary..");
        DescribedPredicate<JavaClass> outside = DescribedPredicate.not(plain)
                .and(DescribedPredicate.describe(
                        "is no primitive", type -> !type.getBaseComponentType().isPrimitive()))
                .and(DescribedPredicate.describe(
                        "is no array of plain Java",
                        type -> !type.isArray() || !plain.test(type.getBaseComponentType())))
                .as("anything but plain Java");
        DescribedPredicate<JavaClass> io = resideInAnyPackage("java.nio.file..", "java.nio.channels..", "java.sql..")
                .or(resideInAPackage("java.net..").and(DescribedPredicate.not(simpleName("URI"))))
                .or(resideInAPackage("java.io..")
                        .and(DescribedPredicate.not(simpleName("Serializable")))
                        .and(DescribedPredicate.not(simpleName("UncheckedIOException"))))
                .as("files, sockets or databases");
        return List.of(
                noClasses()
                        .that()
                        .resideInAPackage(root + "..domain..")
                        .should()
                        .dependOnClassesThat(outside)
                        .as("the domain is plain Java"),
                noClasses()
                        .that()
                        .resideInAPackage(root + "..domain..")
                        .should()
                        .dependOnClassesThat(io)
                        .as("the domain does no I/O"),
                noClasses()
                        .that()
                        .resideInAPackage(root + "..domain..")
                        .should()
                        .callMethodWhere(call("a clock", ClassRules::readsClock))
                        .as("time is an argument of the domain"),
                noClasses()
                        .that()
                        .resideInAPackage(root + "..domain..")
                        .should()
                        .callCodeUnitWhere(call("chance", ClassRules::isChance))
                        .as("chance is an argument of the domain"),
                noClasses()
                        .that()
                        .resideInAPackage(root + "..domain..")
                        .should()
                        .accessClassesThat()
                        .belongToAnyOf(System.class, Thread.class, Runtime.class, ProcessBuilder.class)
                        .as("the domain does not look around"));
    }

    private static boolean readsClock(CodeUnitCallTarget target) {
        return target.getOwner().getPackageName().startsWith("java.time")
                        && target.getName().equals("now")
                || target.getOwner().isAssignableTo(java.time.Clock.class);
    }

    private static boolean isChance(CodeUnitCallTarget target) {
        JavaClass owner = target.getOwner();
        return owner.isEquivalentTo(java.util.UUID.class) && target.getName().equals("randomUUID")
                || owner.isEquivalentTo(Math.class) && target.getName().equals("random")
                || owner.isAssignableTo(java.util.random.RandomGenerator.class);
    }

    /** Rooms of one service. What is in no room, at the root of a service or of a small subject, is free. */
    private List<ArchRule> rooms() {
        return List.of(
                mayNotUse("application", "http", "config"),
                mayNotUse("postgres", "http", "application", "calls", "config"),
                mayNotUse("calls", "http", "application", "postgres", "config"),
                mayNotUse("http", "postgres", "calls", "config"),
                mayNotUse("domain", "http", "application", "postgres", "calls", "config"));
    }

    private ArchRule mayNotUse(String room, String... others) {
        String[] packages =
                Stream.of(others).map(other -> root + ".." + other + "..").toArray(String[]::new);
        return noClasses()
                .that()
                .resideInAPackage(root + ".." + room + "..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(packages)
                .as(room + " does not use " + String.join(", ", others));
    }

    private ArchRule httpStatus() {
        DescribedPredicate<JavaClass> status = resideInAPackage("org.springframework..")
                .and(DescribedPredicate.describe(
                        "is a status",
                        (JavaClass type) -> Set.of(
                                        "HttpStatus",
                                        "HttpStatusCode",
                                        "ResponseStatus",
                                        "ResponseStatusException",
                                        "ProblemDetail")
                                .contains(type.getSimpleName())))
                .as("HTTP statuses");
        return noClasses()
                .that()
                .resideOutsideOfPackages(root + "..http..", "io.weighbridge.ledger.http..")
                .should()
                .dependOnClassesThat(status)
                .as("HTTP statuses exist in http only");
    }

    private List<ArchRule> waiting() {
        return List.of(
                noClasses()
                        .should()
                        .callMethodWhere(call(
                                "sleep",
                                target -> target.getOwner().isEquivalentTo(Thread.class)
                                        && target.getName().equals("sleep")))
                        .as("nothing sleeps"),
                noClasses()
                        .should()
                        .callMethodWhere(call(
                                "wait for a publisher",
                                target -> target.getOwner().getPackageName().startsWith("reactor.core.publisher")
                                        && REACTOR_WAITS.contains(target.getName())))
                        .as("nothing waits for a publisher"));
    }

    private static List<ArchRule> plainJava() {
        return List.of(
                noFields()
                        .should()
                        .beAnnotatedWith("org.springframework.beans.factory.annotation.Autowired")
                        .orShould()
                        .beAnnotatedWith("org.springframework.beans.factory.annotation.Value")
                        .orShould()
                        .beAnnotatedWith("jakarta.inject.Inject")
                        .as("dependencies come through the constructor"),
                noClasses()
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage("lombok..", "io.vavr..")
                        .as("records and sealed types replace Lombok and Vavr"));
    }

    private interface TargetTest {
        boolean test(CodeUnitCallTarget target);
    }

    private static DescribedPredicate<JavaCall<?>> call(String description, TargetTest test) {
        return DescribedPredicate.describe(description, (JavaCall<?> call) -> test.test(call.getTarget()));
    }
}
