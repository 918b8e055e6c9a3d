package io.weighbridge.testkit.rules;

/**
 * Lets one place off one rule. An excuse that excuses nothing fails the test, so that none outlives its cause.
 *
 * @param where part of the violation's place or text, such as a class name
 * @param reason why the rule's purpose is served otherwise
 */
public record Excuse(Rule rule, String where, String reason) {

    /** Whether this violation is the excused one. */
    public boolean covers(Violation violation) {
        return violation.rule() == rule && violation.toString().contains(where);
    }
}
