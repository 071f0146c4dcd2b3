// Metrics of the deliveries.

import type { CloudEvent } from '@practice/bus';
import { beforeScrape, counter, gauge, histogram } from '@practice/metrics';
import type { CrossTenantConnection } from '@practice/storage';
import { statusOf } from './attempts.js';
import type { AttemptRow } from './attempts.js';

const attempts = counter('practice_webhook_attempts_total');
const delay = histogram('practice_webhook_delay_seconds');
const waiting = gauge('practice_webhooks_waiting');
const oldest = gauge('practice_webhook_lag_seconds');

/** Counts an attempt, and the time from the event to its first delivery. */
export function observeAttempt(row: AttemptRow, event: CloudEvent): void {
  const result = statusOf(row);
  attempts.inc({ result });
  // A retry waits for the receiver, not for us.
  if (result === 'delivered' && row.attempt === 1)
    delay.observe(Math.max(0, Date.now() - Date.parse(event.time)) / 1000);
}

/** Measures which webhooks wait before each scrape. Each process has the same values. */
export const measureWaiting = (crossTenant: CrossTenantConnection): (() => void) =>
  beforeScrape(['practice_webhooks_waiting', 'practice_webhook_lag_seconds'], async () => {
    const [row] = await crossTenant.run({ text: WAITING, values: [] });
    const [due, retrying, seconds] = row ?? [];
    waiting.set({ state: 'due' }, Number(due));
    waiting.set({ state: 'retrying' }, Number(retrying));
    oldest.set(Number(seconds));
  });

/** A webhook is due since its next attempt may begin, or since it was served last; one that was never served counts from its first claim. */
const WAITING = `SELECT count(*) FILTER (WHERE failures = 0 OR next_attempt_at <= now()),
  count(*) FILTER (WHERE failures > 0 AND next_attempt_at > now()),
  coalesce(max(extract(epoch FROM now() - greatest(leased_until, next_attempt_at)))
    FILTER (WHERE isfinite(leased_until) AND (next_attempt_at IS NULL OR next_attempt_at <= now())), 0)
FROM webhooks.webhook_progress WHERE is_active AND news > seen`;
