// The tables of deliveries. Deliveries are not events: a cursor that moves with each delivery would make the log grow by itself.

import { isReadableBy, isWritableBy, ownPracticeOnly, SYSTEM } from '@practice/log';
import { webhookDeliveries } from '@practice/contracts';
import { rolesAllowed } from '@practice/resource';

const schema = { schema: 'webhooks', role: 'webhooks' };

/**
 * The progress of each webhook. `news` counts changes in the practice and of the webhook; `seen` is the value of `news` when all events
 * were delivered. A webhook with `news` above `seen` is due, after a failure at `next_attempt_at`. The process with the `lease`
 * delivers. Another process may take over when the session of the `holder` has ended, or at `leased_until`, by which due webhooks are
 * also ordered: without a lease, it is when the webhook became due or was last served. `started_at` counts until there is a cursor.
 */
const progress = [
  `CREATE TABLE webhooks.webhook_progress (
    therapist_id uuid NOT NULL,
    id uuid NOT NULL,
    is_active boolean NOT NULL,
    started_at timestamp with time zone NOT NULL,
    delivered_until text,
    sealed_secret text NOT NULL,
    sealed_previous text,
    previous_until timestamp with time zone,
    failures integer NOT NULL DEFAULT 0,
    next_attempt_at timestamp with time zone,
    news bigint NOT NULL DEFAULT 1,
    seen bigint NOT NULL DEFAULT 0,
    ping_id uuid,
    lease uuid,
    holder uuid,
    leased_until timestamp with time zone NOT NULL DEFAULT '-infinity',
    PRIMARY KEY (therapist_id, id)
  )`,
  `CREATE INDEX webhook_progress_due_idx ON webhooks.webhook_progress (leased_until)
    WHERE (is_active AND news > seen) OR ping_id IS NOT NULL`,
  ...ownPracticeOnly(schema, 'webhook_progress'),
  'CREATE POLICY relay ON webhooks.webhook_progress TO webhooks_relay USING (true)',
  'GRANT SELECT, INSERT, UPDATE, DELETE ON webhooks.webhook_progress TO webhooks',
  `GRANT SELECT (therapist_id, id, is_active, failures, next_attempt_at, news, seen, ping_id, lease, holder, leased_until),
    UPDATE (news, lease, holder, leased_until), DELETE ON webhooks.webhook_progress TO webhooks_relay`,
];

/** One row for each attempt. The role of the relay deletes old rows. */
const deliveries = [
  `CREATE TABLE webhooks.webhook_deliveries (
    therapist_id uuid NOT NULL,
    id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    event_id text NOT NULL,
    type text NOT NULL,
    at timestamp with time zone NOT NULL,
    attempt integer NOT NULL,
    status text NOT NULL,
    response_status integer,
    duration_ms integer NOT NULL,
    error text,
    next_attempt_at timestamp with time zone,
    PRIMARY KEY (therapist_id, id)
  )`,
  'CREATE INDEX webhook_deliveries_webhook_idx ON webhooks.webhook_deliveries (therapist_id, webhook_id, at)',
  'CREATE INDEX webhook_deliveries_at_idx ON webhooks.webhook_deliveries (at)',
  'ALTER TABLE webhooks.webhook_deliveries ENABLE ROW LEVEL SECURITY',
  `CREATE POLICY select_own ON webhooks.webhook_deliveries FOR SELECT TO webhooks
    USING (${isReadableBy([...rolesAllowed(webhookDeliveries, 'read'), SYSTEM])})`,
  `CREATE POLICY insert_own ON webhooks.webhook_deliveries FOR INSERT TO webhooks WITH CHECK (${isWritableBy([SYSTEM])})`,
  'CREATE POLICY relay ON webhooks.webhook_deliveries TO webhooks_relay USING (true)',
  'GRANT SELECT, INSERT ON webhooks.webhook_deliveries TO webhooks',
  'GRANT SELECT, DELETE ON webhooks.webhook_deliveries TO webhooks_relay',
];

/** DDL of the tables. */
export const deliveryTables: readonly string[] = [...progress, ...deliveries];
