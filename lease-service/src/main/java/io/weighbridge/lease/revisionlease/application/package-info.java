/** Guard, load, decide and write lease commands, many in one transaction, each with its own answer. */
@NullMarked
package io.weighbridge.lease.revisionlease.application;

import org.jspecify.annotations.NullMarked;
