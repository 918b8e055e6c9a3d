/**
 * The metadata service: revisions with their operations, objects with their copies, nodes with their segments (spec 1,
 * 2).
 */
@NullMarked
package io.weighbridge.metadata;

import org.jspecify.annotations.NullMarked;
