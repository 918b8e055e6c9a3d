/**
 * Benchmarks: what a user sees, as ratios against a peer in the same run on the same machine; absolute figures drift on
 * shared machines and are shown only beside their peer's.
 */
@NullMarked
package io.weighbridge.suite.bench;

import org.jspecify.annotations.NullMarked;
