package io.weighbridge.testkit.rules;

/**
 * One breach of a rule.
 *
 * @param where a file and line, or a class
 * @param what is wrong and what to do
 */
public record Violation(Rule rule, String where, String what) {

    @Override
    public String toString() {
        return rule + " " + where + ": " + what;
    }
}
