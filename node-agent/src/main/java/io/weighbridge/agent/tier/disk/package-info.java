/**
 * The local disk tier: one file for each extent, its payload first and then a trailer with what is known of it. Files
 * are named by copy only, so nothing that a client sends becomes a path.
 */
@NullMarked
package io.weighbridge.agent.tier.disk;

import org.jspecify.annotations.NullMarked;
