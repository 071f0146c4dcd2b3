import type { OutgoingEnvelope, Requester } from '@practice/bus';
import { isServerError, type Problem, problemFor } from '@practice/core';
import { unknownButRepeatable, unknownOutcome } from '@practice/core';
import type { CommandFields } from '@practice/query';
import { childSpan } from '@practice/tracing';

/** The injection token of the requester that sends requests for records to the services. */
export const REQUESTER = Symbol('requester');
/** The requester for calls of the auth API: hashing passwords takes longer than a query. */
export const ACCOUNT_REQUESTER = Symbol('account requester');

type Sent = OutgoingEnvelope<Pick<Partial<CommandFields>, 'repeatable' | 'isDryRun'>>;

const READS = new Set(['query', 'subquery', 'read-function', 'gateway-state', 'personal-token']);

/**
 * Whether a request may be sent twice: a read, a dry run, or a write with an Idempotency-Key, which the service carries out once.
 * A read of confidential records may be recorded twice then.
 */
export const mayRepeat = (envelope: Sent): boolean =>
  READS.has(envelope.op) || envelope.isDryRun === true || envelope.repeatable !== undefined;

/** The calls of the auth API take no Idempotency-Key. */
const unknownAccountOutcome = problemFor('PM504', {
  message: 'The outcome of this request is unknown. Check whether it was carried out before you repeat it.',
  hint: null,
});

/** The problem of a request that was sent and got no reply; undefined if it may be sent again, as a read or a dry run. */
export function unanswered(envelope: Sent & { readonly method?: string }): Problem | undefined {
  if (envelope.isDryRun === true) return undefined;
  switch (envelope.op) {
    case 'command':
    case 'write-function':
    case 'batch':
      return envelope.repeatable === undefined ? unknownOutcome : unknownButRepeatable;
    case 'account':
      return envelope.method === 'GET' ? undefined : unknownAccountOutcome;
    default:
      return undefined;
  }
}

/** The additional time of each record of a write. */
const MS_PER_RECORD = 5;

/** How long a service may take for a request, in milliseconds: longer than `least` for a write of many records. */
export const patienceFor =
  (least: number) =>
  ({ records = 0 }: OutgoingEnvelope<Pick<Partial<CommandFields>, 'records'>>): number =>
    least + records * MS_PER_RECORD;

/** The same client, with a span for each request. The service's span is its child. */
export function tracedRequester(requester: Requester): Requester {
  return {
    ...requester,
    request: async (service, envelope, body) => {
      const span = childSpan(`ask ${service}`, { kind: 'client', parent: envelope.traceparent });
      if (span === undefined) return requester.request(service, envelope, body);
      const attributes = { 'messaging.system': 'nats', 'rpc.method': envelope.op };
      try {
        const { traceparent } = span;
        const reply = await requester.request(service, Object.assign({}, envelope, { traceparent }), body);
        span.end({ ...attributes, status: reply.status }, isServerError(reply.status));
        return reply;
      } catch (error) {
        span.end(attributes, true);
        throw error;
      }
    },
  };
}
