/** The agent and the ledger; its port is what an agent asks of the ledger's services. */
@NullMarked
package io.weighbridge.agent.registration;

import org.jspecify.annotations.NullMarked;
