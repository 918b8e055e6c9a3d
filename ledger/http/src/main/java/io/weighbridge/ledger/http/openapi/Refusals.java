package io.weighbridge.ledger.http.openapi;

import io.weighbridge.ledger.problem.ProblemCode;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * On a controller's method: why it may refuse, for the OpenAPI document. What every endpoint may answer (malformed
 * arguments, credentials, overload, defects) goes without saying.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Refusals {

    ProblemCode[] value();
}
