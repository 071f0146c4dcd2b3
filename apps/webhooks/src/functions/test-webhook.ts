import { testWebhook } from '@practice/contracts';
import { newId } from '@practice/core';
import type { ArgumentsOf } from '@practice/resource';
import { Handles } from '@practice/write';
import type { FunctionHandler, WritingCall } from '@practice/write';
import { Bell } from '../webhook/bell.js';
import { requireWebhook } from './known-webhook.js';

/** Asks for a ping. It is sent like an event, beside the order of events. */
@Handles(testWebhook)
export class TestWebhook implements FunctionHandler<typeof testWebhook> {
  constructor(private readonly bell: Bell) {}

  /** @throws {Rejection} PM404. A ping that was not sent yet is the answer to a second call. */
  async call({ webhook_id: id }: ArgumentsOf<typeof testWebhook>, call: WritingCall) {
    const { transaction, caller, afterCommit } = call;
    const { client } = transaction;
    await requireWebhook(client, caller.therapistId, id);
    const { rows } = await client.query<{ ping: string }>(
      `UPDATE webhooks.webhook_progress SET ping_id = coalesce(ping_id, $3) WHERE therapist_id = $1 AND id = $2
       RETURNING ping_id AS ping`,
      [caller.therapistId, id, newId()],
    );
    afterCommit(() => this.bell.ring());
    return { event_id: rows[0]?.ping ?? '' };
  }
}
