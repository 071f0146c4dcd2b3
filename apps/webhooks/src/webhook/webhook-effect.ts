import { Injectable } from '@nestjs/common';
import { webhooks } from '@practice/contracts';
import type { Webhook } from '@practice/contracts';
import type { Statement } from '@practice/log';
import { showOneTimeSecrets } from '@practice/write';
import type { BegunEffect, RecordChange, WriteEffect } from '@practice/write';
import { Bell } from './bell.js';
import { WebhookSecrets } from './webhook-secrets.js';

interface Change {
  readonly therapistId: string;
  readonly before: Webhook | null;
  readonly after: Webhook | null;
}

/**
 * The effect of a changed webhook: its row in the table of progress, with the sealed secret of a new one. The secret itself is in the
 * response of this write only.
 */
@Injectable()
export class WebhookEffect implements WriteEffect {
  readonly resource = webhooks;

  constructor(
    private readonly secrets: WebhookSecrets,
    private readonly bell: Bell,
  ) {}

  begin(changes: readonly RecordChange[]): BegunEffect {
    const given: Record<string, { secret: string }> = {};
    const statements = (changes as readonly unknown[] as readonly Change[]).flatMap((change) => {
      const { therapistId, before, after } = change;
      if (after === null) return before === null ? [] : [ended(therapistId, before.id)];
      if (before !== null) return turned({ therapistId, before, after });
      const { secret, sealed } = this.secrets.make(after.id);
      given[after.id] = { secret };
      return [begun(therapistId, after, sealed)];
    });
    return {
      statements: Object.keys(given).length === 0 ? statements : [...statements, showOneTimeSecrets(given)],
      committed: () => this.bell.ring(),
    };
  }
}

const begun = (therapistId: string, { id, status }: Webhook, sealed: string): Statement => ({
  text: `INSERT INTO webhooks.webhook_progress (therapist_id, id, is_active, started_at, sealed_secret) VALUES ($1, $2, $3, now(), $4)`,
  values: [therapistId, id, status === 'active', sealed],
});

const ended = (therapistId: string, id: string): Statement => ({
  text: 'DELETE FROM webhooks.webhook_progress WHERE therapist_id = $1 AND id = $2',
  values: [therapistId, id],
});

/** One that is turned on, or has a new URL, is tried at once. */
function turned({ therapistId, before, after }: Change & { before: Webhook; after: Webhook }): Statement[] {
  if (before.status === after.status && before.url === after.url) return [];
  return [
    {
      text: `UPDATE webhooks.webhook_progress SET is_active = $3, failures = 0, next_attempt_at = NULL, news = news + 1
WHERE therapist_id = $1 AND id = $2`,
      values: [therapistId, after.id, after.status === 'active'],
    },
  ];
}
