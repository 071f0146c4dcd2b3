import { randomUUID } from 'node:crypto';
import { type Connection, type Requester, unavailable } from '@practice/bus';
import { IDENTITY_CHANGES_KNOWN, type KnownChange } from '@practice/contracts';
import type { OutgoingEnvelope } from '@practice/core';

/**
 * Sends a request that is needed to check a token to the identity service. Resolves to the parsed JSON of its reply.
 * @throws {Rejection} PM503 when the service cannot be reached, or cannot answer because its database is unavailable
 */
export async function askIdentity<Answer, Fields extends object = object>(
  requester: Requester,
  envelope: OutgoingEnvelope<Fields>,
): Promise<Answer> {
  const { status, body } = await requester.request('identity', envelope, '');
  if (status !== 200) throw unavailable('identity', `replied ${status}`);
  return JSON.parse(body.toString()) as Answer;
}

/** The messages of this process to the identity service: that it is alive, that it knows a change, and that it ends. */
export class Confirmations {
  private readonly process = randomUUID();

  constructor(private readonly connection: Pick<Connection, 'nats'>) {}

  say(known: Omit<KnownChange, 'process'>): void {
    const { nats } = this.connection;
    const message: KnownChange = { process: this.process, ...known };
    if (!nats.isClosed()) nats.publish(IDENTITY_CHANGES_KNOWN, JSON.stringify(message));
  }
}
