/** One look at a revision: read what is so, plan, act, look again. Every action may be repeated without harm. */
@NullMarked
package io.weighbridge.reconciliation.revision.application;

import org.jspecify.annotations.NullMarked;
