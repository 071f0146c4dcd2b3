import { type Requester, unavailable } from '@practice/bus';
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
