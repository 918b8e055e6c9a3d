/**
 * The revision machine in plain Java: what can be, what can be asked, what can have happened, what is refused, and the
 * rules.
 */
@NullMarked
package io.weighbridge.metadata.revision.domain;

import org.jspecify.annotations.NullMarked;
