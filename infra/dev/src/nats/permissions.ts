// What each user of NATS may publish and hear. A service reaches its own subjects and may ask others, nothing else.
import { services, type Service } from '../services.js';

export const STREAM = 'PRACTICE_EVENTS';

export interface Permissions {
  readonly publish: readonly string[];
  /** Not even where `publish` would allow it. */
  readonly neverPublish: readonly string[];
  readonly subscribe: readonly string[];
}

/** The permissions of a service's user. */
export function permissionsOf({ name, answers }: Service): Permissions {
  return {
    publish: [
      'practice.rpc.*',
      ...(answers ? ['practice.reply.>'] : []),
      `practice.events.${name}.>`,
      ...consumerRequests,
      `$JS.ACK.${STREAM}.>`,
    ],
    neverPublish: services.filter((other) => other.name !== name).flatMap(consumerOf),
    subscribe: [...(answers ? [`practice.rpc.${name}`] : []), `practice.reply.${name}.>`, `_INBOX.${name}.>`],
  };
}

/** What would take another service's events from it: its durable consumer, with its deliveries. */
function consumerOf({ name }: Service): string[] {
  const consumer = `${STREAM}.${name}-mirror`;
  return [
    `$JS.API.CONSUMER.CREATE.${consumer}`,
    `$JS.API.CONSUMER.CREATE.${consumer}.>`,
    `$JS.API.CONSUMER.DURABLE.CREATE.${consumer}`,
    `$JS.API.CONSUMER.MSG.NEXT.${consumer}`,
    `$JS.ACK.${consumer}.>`,
  ];
}

/** What JetStream is asked by someone who keeps a durable subscription; streams themselves are infrastructure. */
const consumerRequests = [
  '$JS.API.INFO',
  '$JS.API.STREAM.NAMES',
  `$JS.API.STREAM.INFO.${STREAM}`,
  `$JS.API.CONSUMER.CREATE.${STREAM}`,
  `$JS.API.CONSUMER.CREATE.${STREAM}.>`,
  `$JS.API.CONSUMER.DURABLE.CREATE.${STREAM}.*`,
  `$JS.API.CONSUMER.INFO.${STREAM}.*`,
  `$JS.API.CONSUMER.MSG.NEXT.${STREAM}.*`,
];
