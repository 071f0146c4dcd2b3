import { replayWebhook } from '@practice/contracts';
import { reject } from '@practice/core';
import type { Problem } from '@practice/core';
import { kinds } from '@practice/resource';
import type { ArgumentsOf } from '@practice/resource';
import { Handles } from '@practice/write';
import type { FunctionCall, FunctionHandler, WritingCall } from '@practice/write';
import { Bell } from '../webhook/bell.js';
import { EventSource } from '../delivery/event-source.js';
import { requireWebhook } from './known-webhook.js';

type Arguments = ArgumentsOf<typeof replayWebhook>;

/** Sets the cursor of a webhook. A delivery that is under way loses its claim, so it does not move the cursor on. */
@Handles(replayWebhook)
export class ReplayWebhook implements FunctionHandler<typeof replayWebhook> {
  /** The place in the log that a call asks for, until the transaction needs it. */
  private readonly places = new WeakMap<Arguments, string>();

  constructor(
    private readonly source: EventSource,
    private readonly bell: Bell,
  ) {}

  /** @throws {Rejection} 22023 for a text that is neither a cursor nor a timestamp; 503 when a service cannot be asked */
  async before(args: Arguments, { caller }: FunctionCall): Promise<void> {
    this.places.set(args, await this.placeOf(caller.therapistId, args.from));
  }

  /** @throws {Rejection} PM404 */
  async call(args: Arguments, call: WritingCall) {
    const { transaction, caller, afterCommit } = call;
    const { client } = transaction;
    const { webhook_id: id } = args;
    await requireWebhook(client, caller.therapistId, id);
    const cursor = this.places.get(args) ?? '';
    await client.query(
      `UPDATE webhooks.webhook_progress
       SET delivered_until = $3, failures = 0, next_attempt_at = NULL, news = news + 1, lease = NULL
       WHERE therapist_id = $1 AND id = $2`,
      [caller.therapistId, id, cursor],
    );
    afterCommit(() => this.bell.ring());
    return { webhook_id: id, delivered_until: cursor };
  }

  private async placeOf(therapistId: string, from: string): Promise<string> {
    if (this.source.isCursor(from)) return from;
    const instant = kinds.timestamp.parse(from);
    return instant.ok ? this.source.at(therapistId, instant.value) : reject(noPlace);
  }
}

const noPlace: Problem = {
  status: 400,
  code: '22023',
  message: 'invalid value for argument "from"',
  details: 'It is neither a cursor nor a timestamp.',
};
