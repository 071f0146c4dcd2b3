import type { CloudEvent } from './envelope.js';

const text = (description: string, more: object = {}): object => ({ type: 'string', ...more, description });
const uuid = { format: 'uuid' };

const count = (description: string): object => ({ type: 'integer', minimum: 1, description });

const attributes: Readonly<Record<keyof CloudEvent, object>> = {
  specversion: { const: '1.0' },
  id: text('The event: a UUIDv7.', uuid),
  source: text('The service: /practice/<service>.'),
  type: text('practice.<service>.<EventType>.v<n>; n grows when the shape of the data changes.'),
  subject: text('The record.', uuid),
  time: text('When it was recorded.', { format: 'date-time' }),
  datacontenttype: { const: 'application/json' },
  data: { type: 'object', description: 'Columns of the record.' },
  therapistid: text('The practice.', uuid),
  position: count('Within the practice’s log in that service, without gaps: the order of what happened.'),
  streamversion: count('Within the record, without gaps.'),
  epoch: {
    type: 'integer',
    description:
      'The epoch of the practice’s log in which it was recorded: the time of a restoration in Unix seconds; absent before the first one.',
  },
  traceparent: text('W3C trace context of the request, where there was one.'),
  correlationid: text('The chain of causes.'),
  causationid: text('The event that caused it, where one did.'),
  changeid: text('The change that it is part of: <service>:<position of its first event>.'),
};

const sometimes: readonly string[] = ['epoch', 'traceparent', 'causationid', 'changeid'];

/** JSON Schema (draft 07) of the envelope. */
export const envelopeSchema = {
  type: 'object',
  description: 'CloudEvents 1.0 in JSON, with extensions of this product.',
  properties: attributes,
  required: Object.keys(attributes).filter((name) => !sometimes.includes(name)),
  additionalProperties: false,
} as const;
