package io.weighbridge.testkit.rules;

/** The house rules by name. */
public enum Rule {
    /** {@code ..domain..} is plain Java without clock, chance and I/O. */
    PLAIN_DOMAIN,
    /** Who may use whom among http, application, domain, postgres, calls and config. */
    ROOMS,
    /** HTTP statuses exist in {@code ..http..} only. */
    HTTP_STATUS,
    /** Only {@code ..postgres..} holds SQL that writes, and it writes its own schema only. */
    WRITING_SQL,
    /** Every package has a package-info with {@code @NullMarked} and a sentence. */
    PACKAGE_INFO,
    /** No util, common, helper, impl, manager. */
    NAMES,
    /** Nothing waits on a thread. */
    BLOCKING,
    /** No field injection, no Lombok, no Vavr. */
    PLAIN_JAVA,
    /** Sizes of lines, methods, files and constructors. */
    BUDGET,
    /** No {@code default} in a switch of the domain: the compiler finds the missing case only without it. */
    NO_DEFAULT,
    /** Public types say what they are. */
    JAVADOC
}
