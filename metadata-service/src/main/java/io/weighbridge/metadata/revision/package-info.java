/** Weight revisions and their operations (spec 1): one machine, its table and its REST resources. */
@NullMarked
package io.weighbridge.metadata.revision;

import org.jspecify.annotations.NullMarked;
