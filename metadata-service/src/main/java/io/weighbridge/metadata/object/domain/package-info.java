/** What may happen to an object and its copies: the put machine, the copies' life, allocation (spec 2.1, 2.2). Pure. */
@NullMarked
package io.weighbridge.metadata.object.domain;

import org.jspecify.annotations.NullMarked;
