// A claimed webhook as its delivery needs it.

import type { Statement, TextRow } from '@practice/log';
import type { Claim } from './claims.js';

export interface WebhookState {
  readonly url: string;
  /** Null: all of them. */
  readonly eventTypes: ReadonlySet<string> | null;
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
  text: `SELECT w.url, to_json(w.event_types)::text, p.is_active, to_json(p.started_at) #>> '{}', p.delivered_until, p.failures,
  p.next_attempt_at IS NULL OR p.next_attempt_at <= now(), p.ping_id, p.sealed_secret,
  CASE WHEN p.previous_until > now() THEN p.sealed_previous END
FROM webhooks.webhook_progress AS p JOIN webhooks.webhooks AS w ON w.therapist_id = p.therapist_id AND w.id = p.id
WHERE p.therapist_id = $1 AND p.id = $2`,
  values: [therapistId, id],
});

export function stateOf(row: TextRow): WebhookState {
  const [url, types, isActive, startedAt, cursor, failures, isDue, pingId, sealed, previous] = row;
  return {
    url: String(url),
    eventTypes: types == null ? null : new Set(JSON.parse(types) as string[]),
    isActive: isActive === 't',
    startedAt: String(startedAt),
    cursor: cursor ?? null,
    failures: Number(failures),
    isDue: isDue === 't',
    pingId: pingId ?? null,
    sealedSecrets: [String(sealed), ...(previous == null ? [] : [previous])],
  };
}
