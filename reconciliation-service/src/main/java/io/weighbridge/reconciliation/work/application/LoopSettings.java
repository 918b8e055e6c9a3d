package io.weighbridge.reconciliation.work.application;

import io.weighbridge.reconciliation.work.domain.Backoff;
import java.time.Duration;

/**
 * How the loop runs.
 *
 * @param poll how often to ask for due work; this is the truth, news are hints
 * @param sweep how often to look at every revision that the inventory names
 * @param hold how long a claim lasts without being renewed
 * @param concurrency revisions looked at at a time
 * @param backoff after failures
 */
public record LoopSettings(Duration poll, Duration sweep, Duration hold, int concurrency, Backoff backoff) {}
