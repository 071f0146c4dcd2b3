import { EventEmitter } from 'node:events';
import { Injectable } from '@nestjs/common';
import { type Webhook, webhooks } from '@practice/contracts';
import { Keyring, type Statement } from '@practice/log';
import { type BegunEffect, type RecordChange, showOneTimeSecrets, type WriteEffect } from '@practice/write';
import { newKey, secretOf } from '../sending/sender.js';

/** Wakes the deliveries of this process. */
export class Bell extends EventEmitter<{ ring: [] }> {}

/** The purpose of the seal. */
export const WEBHOOK_SECRETS = 'practice webhook secrets';

/** Makes and opens the keys of webhooks. They are sealed in the database, so a copy of the database cannot sign messages. */
export class WebhookSecrets extends Keyring {
  /** @param setting in the format of `Keyring` */
  constructor(setting: string) {
    super(setting, WEBHOOK_SECRETS);
  }

  /** A new secret, in the format for the receiver and in the stored format. */
  make(webhookId: string): { readonly secret: string; readonly sealed: string } {
    const key = newKey();
    return { secret: secretOf(key), sealed: this.seal(key, webhookId) };
  }
}

/**
 * The effect of a changed webhook: its row in the table of progress, with the sealed secret of a new webhook. Only the response of the
 * write that creates the webhook contains the secret.
 */
@Injectable()
export class WebhookEffect implements WriteEffect {
  readonly resource = webhooks;

  constructor(
    private readonly secrets: WebhookSecrets,
    private readonly bell: Bell,
  ) {}

  begin(changes: readonly RecordChange<Webhook>[]): BegunEffect {
    const given: Record<string, { secret: string }> = {};
    const statements = changes.flatMap((change) => {
      const { therapistId, before, after } = change;
      if (after === null) return before === null ? [] : [ended(therapistId, before.id)];
      if (before !== null) return turned({ therapistId, before, after });
      const { secret, sealed } = this.secrets.make(after.id);
      given[after.id] = { secret };
      return [begun(therapistId, after, sealed)];
    });
    return {
      statements: Object.keys(given).length === 0 ? statements : [...statements, showOneTimeSecrets(given)],
      committed: () => void this.bell.emit('ring'),
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

/**
 * A webhook whose status, URL or types of events change starts without failures, so a webhook that is turned on is tried at once. If
 * it is active, a running delivery loses its claim: a failure at the earlier URL must not delay the new one, and a delivery that does
 * not know the new types would skip their events. The webhook is due from now on.
 */
function turned({
  therapistId,
  before,
  after,
}: RecordChange<Webhook> & { before: Webhook; after: Webhook }): Statement[] {
  const facts = ({ status, url, event_types: types }: Webhook): string =>
    JSON.stringify([status, url, types]);
  if (facts(before) === facts(after)) return [];
  return [
    {
      text: `UPDATE webhooks.webhook_progress
SET is_active = $3, failures = 0, next_attempt_at = NULL, news = news + 1,
  lease = CASE WHEN $3 THEN NULL ELSE lease END, leased_until = CASE WHEN $3 THEN now() ELSE leased_until END
WHERE therapist_id = $1 AND id = $2`,
      values: [therapistId, after.id, after.status === 'active'],
    },
  ];
}
