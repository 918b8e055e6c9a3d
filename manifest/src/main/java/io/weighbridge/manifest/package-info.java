/** The stored weight manifest: its records, its canonical JSON and its checks (spec 1.4). The ledger never reads it. */
@NullMarked
package io.weighbridge.manifest;

import org.jspecify.annotations.NullMarked;
