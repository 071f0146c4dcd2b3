import { rotateWebhookSecret } from '@practice/contracts';
import type { ArgumentsOf, Decider } from '@practice/resource';
import { Handles } from '@practice/write';
import type { FunctionHandler, WritingCall } from '@practice/write';
import { rotating } from '../webhook/webhook.js';
import { WebhookSecrets } from '../webhook/webhook-secrets.js';
import { requireWebhook } from './known-webhook.js';

/** Receivers have this time to take the new secret. */
const BOTH_HOURS = 24;

@Handles(rotateWebhookSecret)
export class RotateWebhookSecret implements FunctionHandler<typeof rotateWebhookSecret> {
  constructor(private readonly secrets: WebhookSecrets) {}

  /** @throws {Rejection} PM404 */
  async call({ webhook_id: id }: ArgumentsOf<typeof rotateWebhookSecret>, call: WritingCall) {
    const { transaction, caller } = call;
    const { therapistId } = caller;
    const { client, now } = transaction;
    await requireWebhook(client, therapistId, id);
    const { secret, sealed } = this.secrets.make(id);
    await client.query(
      `UPDATE webhooks.webhook_progress SET sealed_secret = $3, sealed_previous = sealed_secret,
         previous_until = now() + make_interval(hours => ${BOTH_HOURS})
       WHERE therapist_id = $1 AND id = $2`,
      [therapistId, id, sealed],
    );
    await transaction.changeBy(rotating as unknown as Decider, id, { secret_rotated_at: now });
    return { secret };
  }
}
