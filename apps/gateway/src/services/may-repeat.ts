import { unknownButRepeatable, unknownOutcome } from '@practice/core';
import type { Problem } from '@practice/core';
import type { OutgoingEnvelope } from '@practice/bus';
import type { CommandFields } from '@practice/query';

type Sent = OutgoingEnvelope<Pick<Partial<CommandFields>, 'repeatable'>>;

const READS = new Set(['query', 'subquery', 'read-function', 'gateway-state', 'personal-token']);

/**
 * Whether a request does no harm if a service carries it out twice: a read, or a write with an Idempotency-Key, which the service
 * carries out once. A read of confidential records may be recorded twice then.
 */
export const mayRepeat = (envelope: Sent): boolean =>
  READS.has(envelope.op) || envelope.repeatable !== undefined;

/** The calls of the auth API take no Idempotency-Key. */
const unknownAccountOutcome: Problem = {
  status: unknownOutcome.status,
  code: unknownOutcome.code,
  message: 'The outcome of this request is unknown. Check whether it was carried out before you repeat it.',
};

/** The problem of a request that was sent and got no reply; undefined if it may be sent again, as a read. */
export function unanswered(envelope: Sent & { readonly method?: string }): Problem | undefined {
  switch (envelope.op) {
    case 'command':
    case 'write-function':
      return envelope.repeatable === undefined ? unknownOutcome : unknownButRepeatable;
    case 'account':
      return envelope.method === 'GET' ? undefined : unknownAccountOutcome;
    default:
      return undefined;
  }
}
