// Calls that read of functions that several services carry out: each is asked for its rows, and one of them selects from all.

import type { Reply, Requester } from '@practice/bus';
import type { FunctionEnvelope } from '@practice/query';
import type { FunctionCall } from '../parse/function-call.js';
import { arrayOf, rowsIn } from './rows.js';

const OK = 200;

/**
 * The response, or the first refusal of a part.
 * @throws {Rejection} PM503 if a service is not available: a result without its rows would be wrong
 */
export async function replyOfReadParts(
  requester: Requester,
  { services, body }: FunctionCall,
  envelope: FunctionEnvelope,
): Promise<Reply<Buffer>> {
  const asked: FunctionEnvelope = { ...envelope, op: 'function-part' };
  const parts = await Promise.all(services.map((service) => requester.request(service, asked, body)));
  const refused = parts.find(({ status }) => status !== OK);
  if (refused !== undefined) return refused;
  const [first = ''] = services;
  return requester.request(first, envelope, `${body}\n${arrayOf(parts.map(rowsIn))}`);
}
