/** Makes, rotates and remembers node keys. */
@NullMarked
package io.weighbridge.lease.nodekey.application;

import org.jspecify.annotations.NullMarked;
