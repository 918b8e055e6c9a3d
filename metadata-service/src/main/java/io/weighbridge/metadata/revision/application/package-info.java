/**
 * Load, decide, write: one handler for all commands on revisions, and the ports that other subjects of this service
 * offer or use.
 */
@NullMarked
package io.weighbridge.metadata.revision.application;

import org.jspecify.annotations.NullMarked;
