package io.weighbridge.ledger.http.fence;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * On a controller's {@link io.weighbridge.ledger.identity.Fence} argument, where its defaults do not fit. The argument
 * alone demands {@code If-Match: "<generation>"} and refuses {@code *}.
 */
@Documented
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
public @interface IfMatch {

    /** {@code *} is allowed: whatever is current (acquiring a lease). */
    boolean any() default false;
}
