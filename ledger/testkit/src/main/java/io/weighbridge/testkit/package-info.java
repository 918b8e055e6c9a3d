/**
 * What tests of every module share: a ledger on a real PostgreSQL, the house rules, machine tables that are tests and
 * documentation at once, and a guard against blocking calls on event loops.
 */
@NullMarked
package io.weighbridge.testkit;

import org.jspecify.annotations.NullMarked;
