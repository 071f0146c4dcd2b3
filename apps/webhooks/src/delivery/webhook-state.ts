// The state of a claimed webhook that a delivery needs.

import type { Statement, TextRow } from '@practice/log';
import type { Claim } from './claims.js';

export interface WebhookState {
  readonly url: string;
  /** Null for all types. */
  readonly eventTypes: readonly string[] | null;
  readonly isActive: boolean;
  readonly startedAt: string;
  readonly cursor: string | null;
  readonly failures: number;
  /** Whether the next attempt may begin. */
  readonly isDue: boolean;
  readonly pingId: string | null;
  /** The newest first. */
  readonly sealedSecrets: readonly string[];
}

export const selectState = ({ therapistId, id }: Claim): Statement => ({
  text: `SELECT json_build_object('url', w.url, 'eventTypes', w.event_types, 'isActive', p.is_active, 'startedAt', p.started_at,
  'cursor', p.delivered_until, 'failures', p.failures, 'isDue', p.next_attempt_at IS NULL OR p.next_attempt_at <= now(),
  'pingId', p.ping_id, 'sealedSecrets',
  array_remove(ARRAY[p.sealed_secret, CASE WHEN p.previous_until > now() THEN p.sealed_previous END], NULL))
FROM webhooks.webhook_progress AS p JOIN webhooks.webhooks AS w ON w.therapist_id = p.therapist_id AND w.id = p.id
WHERE p.therapist_id = $1 AND p.id = $2`,
  values: [therapistId, id],
});

export const stateOf = ([state]: TextRow): WebhookState => JSON.parse(String(state)) as WebhookState;
