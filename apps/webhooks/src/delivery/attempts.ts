// The rows of `webhook_deliveries`.

import type { CloudEvent } from '@practice/bus';
import { newId } from '@practice/core';
import { sql, type Statement } from '@practice/log';
import { beforeScrape, counter, gauge, histogram } from '@practice/metrics';
import { type CrossTenantConnection, type Sweep, SWEPT_AT_ONCE } from '@practice/storage';
import type { Sent } from '../sending/sender.js';

export interface AttemptRow {
  readonly therapistId: string;
  readonly webhookId: string;
  readonly eventId: string;
  readonly type: string;
  readonly at: Date;
  readonly attempt: number;
  readonly sent: Sent;
  /** When the event is sent again; null if it is not sent again. */
  readonly nextAttemptAt: Date | null;
}

/** The status of an attempt: the event was delivered, is sent again, or this was the last attempt. */
const statusOf = ({ sent, nextAttemptAt }: AttemptRow): 'delivered' | 'retrying' | 'failed' => {
  if (sent.error === null) return 'delivered';
  return nextAttemptAt === null ? 'failed' : 'retrying';
};

/** Adds a row, unless the webhook was deleted or erased during the attempt. The lock makes sure that an erasure finds the row. */
export const addAttempt = (row: AttemptRow): Statement => ({
  text: `INSERT INTO webhooks.webhook_deliveries
  (therapist_id, id, webhook_id, event_id, type, at, attempt, status, response_status, duration_ms, error, next_attempt_at)
SELECT $1::uuid, $2::uuid, $3::uuid, $4, $5, $6::timestamptz, $7::integer, $8, $9::integer, $10::integer, $11, $12::timestamptz
FROM webhooks.webhook_progress WHERE therapist_id = $1 AND id = $3 FOR SHARE`,
  values: [
    ...[row.therapistId, newId(), row.webhookId, row.eventId, row.type, row.at.toISOString(), row.attempt],
    ...[statusOf(row), row.sent.status, row.sent.durationMs, row.sent.error],
    row.nextAttemptAt?.toISOString() ?? null,
  ],
});

/** The number of days for which rows are kept. */
const KEPT_DAYS = 30;
/** Deletes deliveries that are no longer kept. */
export const oldDeliveries: Sweep = {
  table: 'webhook_deliveries',
  statement: sql(
    `DELETE FROM webhooks.webhook_deliveries WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM webhooks.webhook_deliveries WHERE at < now() - make_interval(days => ${KEPT_DAYS}) LIMIT ${SWEPT_AT_ONCE})) RETURNING 1`,
  ),
};

// Metrics of the deliveries.

const attempts = counter('practice_webhook_attempts_total');
const delay = histogram('practice_webhook_delay_seconds');
const waiting = gauge('practice_webhooks_waiting');
const oldest = gauge('practice_webhook_lag_seconds');

/** Counts an attempt, and the time from the event to its first delivery. */
export function observeAttempt(row: AttemptRow, event: CloudEvent): void {
  const result = statusOf(row);
  attempts.inc({ result });
  // The delay of a retry is caused by the receiver, so it is not measured.
  if (result === 'delivered' && row.attempt === 1)
    delay.observe(Math.max(0, Date.now() - Date.parse(event.time)) / 1000);
}

/** Measures the waiting webhooks before each scrape. Each process has the same values. */
export const measureWaiting = (crossTenant: CrossTenantConnection): (() => void) =>
  beforeScrape([waiting, oldest], async () => {
    const [row] = await crossTenant.run(waitingNow);
    const [due, retrying, seconds] = row ?? [];
    waiting.set({ state: 'due' }, Number(due));
    waiting.set({ state: 'retrying' }, Number(retrying));
    oldest.set(Number(seconds));
  });

/**
 * A webhook is due from the time of its next attempt, or since its news came or it was last served. A webhook under delivery does not
 * wait, and a webhook that was never claimed is not counted.
 */
export const waitingNow: Statement =
  sql(`SELECT count(*) FILTER (WHERE failures = 0 OR next_attempt_at <= now()),
  count(*) FILTER (WHERE failures > 0 AND next_attempt_at > now()),
  greatest(0, max(extract(epoch FROM now() - greatest(leased_until, next_attempt_at)))
    FILTER (WHERE isfinite(leased_until) AND (next_attempt_at IS NULL OR next_attempt_at <= now())))
FROM webhooks.webhook_progress WHERE is_active AND news > seen`);
