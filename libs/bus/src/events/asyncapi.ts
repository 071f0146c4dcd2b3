// The published events as an AsyncAPI 3.0 document (https://www.asyncapi.com/docs/reference/specification/v3.0.0),
// derived from the contracts. No fact is maintained in two places.

import { LOG_RESTORED, logRestoredSchema, type EventType } from '@practice/contracts';
import { envelopeSchema } from './envelope-schema.js';
import { CONTENT_TYPE, STREAM, subjectOf } from './envelope.js';

/** The document of an event catalogue: plain JSON. Channels, messages and operations are named after the event types. */
export function asyncApi(eventTypes: readonly EventType[], version: string) {
  const byType = <T>(each: (event: EventType) => T): Readonly<Record<string, T>> =>
    Object.fromEntries([...eventTypes, logRestored].map((event) => [event.type, each(event)]));
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Practice events',
      version,
      description: `Every event of every practice, as its service recorded it, in the JetStream stream ${STREAM}. Delivery is at least once, in order per practice.`,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    defaultContentType: CONTENT_TYPE,
    channels: byType(channelOf),
    operations: Object.fromEntries(
      [...eventTypes, logRestored].map((event) => [`publish${event.type}`, operationOf(event)]),
    ),
    components: { messages: byType(messageOf), schemas: { CloudEvent: envelopeSchema } },
  };
}

/** Every service publishes it on the subjects of each of its aggregates, so `service` and `aggregate` are parameters of the address too. */
const logRestored: EventType = {
  service: '{service}',
  aggregate: '{aggregate}',
  type: LOG_RESTORED,
  version: 1,
  about: 'the log of the practice was restored from an older copy. The event is not in the log.',
  data: logRestoredSchema,
};

const PARAMETERS: Readonly<Record<string, string>> = {
  service: 'The service that published it.',
  therapistId: 'The id of the practice.',
  aggregate: 'The kind of record.',
};

const isParameter = (text: string): boolean => text.startsWith('{');

const reference = (path: string) => ({ $ref: `#/${path}` });

/** The channel of an event type. Its address is the NATS subject, with the practice as a parameter. */
function channelOf(event: EventType) {
  const { service, aggregate, type, about } = event;
  const address = subjectOf({ service, aggregate, type, therapistId: '{therapistId}' });
  const parameters = Object.entries(PARAMETERS).filter(([name]) => address.includes(`{${name}}`));
  return {
    address,
    parameters: Object.fromEntries(parameters.map(([name, description]) => [name, { description }])),
    title: type,
    description: isParameter(service)
      ? `Published by every service: ${about}`
      : `Published by ${service}. The ${aggregate.replaceAll('_', ' ')}: ${about}`,
    messages: { [type]: reference(`components/messages/${type}`) },
  };
}

function operationOf({ service, type }: EventType): object {
  return {
    action: 'send',
    channel: reference(`channels/${type}`),
    summary: `${isParameter(service) ? 'Every service' : service} publishes ${type}.`,
    messages: [reference(`channels/${type}/messages/${type}`)],
  };
}

/** The message of an event type: the envelope, with the type's constant attributes and the schema of its data. */
function messageOf({ service, type, version, data }: EventType) {
  return {
    name: type,
    title: type,
    contentType: CONTENT_TYPE,
    headers: {
      type: 'object',
      properties: {
        'Nats-Msg-Id': { type: 'string', description: 'Begins with the id of the event.' },
        'content-type': { const: CONTENT_TYPE },
      },
      required: ['Nats-Msg-Id', 'content-type'],
    },
    payload: {
      allOf: [
        reference('components/schemas/CloudEvent'),
        {
          type: 'object',
          properties: {
            ...(isParameter(service)
              ? { type: { pattern: `^practice\\.[^.]+\\.${type}\\.v${version}$` } }
              : {
                  source: { const: `/practice/${service}` },
                  type: { const: `practice.${service}.${type}.v${version}` },
                }),
            data,
          },
        },
      ],
    },
  };
}
