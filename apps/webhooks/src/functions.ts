import { replayWebhook, rotateWebhookSecret, testWebhook } from '@practice/contracts';
import { newId, type Problem, problemFor, reject } from '@practice/core';
import { type ArgumentsOf, kinds } from '@practice/resource';
import { type FunctionHandler, Handles, type WritingCall } from '@practice/write';
import { EventSource } from './delivery/event-source.js';
import { Bell, WebhookSecrets } from './webhook/webhook-effect.js';
import { rotating } from './webhook/webhook.js';

/**
 * Changes the progress of a webhook.
 * @param change.set SQL, in which `$1` is the practice, `$2` the webhook and `$3` the value
 * @returns the id of its ping
 * @throws {Rejection} PM404 unless the practice has the webhook
 */
async function change(
  { transaction, caller }: WritingCall,
  id: string,
  { set, value }: { readonly set: string; readonly value: string },
) {
  const { rows } = await transaction.client.query<{ ping: string | null }>(
    `UPDATE webhooks.webhook_progress SET ${set} WHERE therapist_id = $1 AND id = $2 RETURNING ping_id AS ping`,
    [caller.therapistId, id, value],
  );
  return (
    rows[0] ?? reject('PM404', { message: 'the webhook does not exist', details: `webhook_id is ${id}.` })
  );
}

/** Sets the cursor of a webhook. A running delivery loses its claim, so it does not move the cursor. */
@Handles(replayWebhook)
export class ReplayWebhook implements FunctionHandler<typeof replayWebhook> {
  constructor(
    private readonly source: EventSource,
    private readonly bell: Bell,
  ) {}

  /** @throws {Rejection} 22023 for a text that is neither a cursor nor a timestamp, PM404 */
  async call({ webhook_id: id, from }: ArgumentsOf<typeof replayWebhook>, call: WritingCall) {
    const cursor = this.placeOf(from);
    const set =
      'delivered_until = $3, failures = 0, next_attempt_at = NULL, news = news + 1, lease = NULL, leased_until = now()';
    await change(call, id, { set, value: cursor });
    call.afterCommit(() => this.bell.emit('ring'));
    return { webhook_id: id, delivered_until: cursor };
  }

  private placeOf(from: string): string {
    if (this.source.isCursor(from)) return from;
    const instant = kinds.timestamp.parse(from);
    return instant.ok ? this.source.at(instant.value) : reject(noPlace);
  }
}

const noPlace: Problem = problemFor('22023', {
  message: 'invalid value for argument "from"',
  details: 'It is neither a cursor nor a timestamp.',
});

/** The number of hours in which receivers can change to the new secret. */
const BOTH_HOURS = 24;

@Handles(rotateWebhookSecret)
export class RotateWebhookSecret implements FunctionHandler<typeof rotateWebhookSecret> {
  constructor(private readonly secrets: WebhookSecrets) {}

  /** @throws {Rejection} PM404 */
  async call({ webhook_id: id }: ArgumentsOf<typeof rotateWebhookSecret>, call: WritingCall) {
    const { transaction } = call;
    const { secret, sealed } = this.secrets.make(id);
    const until = `previous_until = now() + make_interval(hours => ${BOTH_HOURS})`;
    const set = `sealed_secret = $3, sealed_previous = sealed_secret, ${until}`;
    await change(call, id, { set, value: sealed });
    await transaction.changeBy(rotating, id, { secret_rotated_at: transaction.now });
    return { secret };
  }
}

/** Requests a ping. It is sent like an event, but outside of the order of events. */
@Handles(testWebhook)
export class TestWebhook implements FunctionHandler<typeof testWebhook> {
  constructor(private readonly bell: Bell) {}

  /** Returns the id of the ping. A second call returns the same ping until it was sent. @throws {Rejection} PM404 */
  async call({ webhook_id: id }: ArgumentsOf<typeof testWebhook>, call: WritingCall) {
    const { ping } = await change(call, id, {
      set: 'ping_id = coalesce(ping_id, $3)',
      value: newId(),
    });
    call.afterCommit(() => this.bell.emit('ring'));
    return { event_id: ping ?? '' };
  }
}
