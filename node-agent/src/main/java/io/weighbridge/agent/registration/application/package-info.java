/**
 * The agent's life with the ledger: keys, registration, mounting, heartbeats and reports. The ledger is the authority;
 * what it does not list is deleted here, what it lists and is not here is reported.
 */
@NullMarked
package io.weighbridge.agent.registration.application;

import org.jspecify.annotations.NullMarked;
