/** Tests of whole agents over real sockets, against a ledger that is played by the test. */
@NullMarked
package io.weighbridge.agent;

import org.jspecify.annotations.NullMarked;
