import type { OutgoingEnvelope } from '@practice/messaging';
import type { CommandFields } from '@practice/service';

const READS = new Set(['query', 'subquery', 'read-function', 'gateway-state', 'personal-token']);

/**
 * Whether a request does no harm if a service carries it out twice: a read, or a write with an Idempotency-Key, which the service
 * carries out once. A read of confidential records may be recorded twice then.
 */
export const mayRepeat = (envelope: OutgoingEnvelope<Pick<Partial<CommandFields>, 'repeatable'>>): boolean =>
  READS.has(envelope.op) || envelope.repeatable !== undefined;
