// What each user of NATS may publish and hear. A service reaches its own subjects and may ask others, nothing else.
import { services, type Service } from '../services.js';

export const STREAM = 'PRACTICE_EVENTS';
/** Where the identity service announces ended sessions and changed keys to the gateways. */
const IDENTITY_CHANGES = 'practice.identity.changes';

export interface Permissions {
  readonly publish: readonly string[];
  /** Not even where `publish` would allow it. */
  readonly neverPublish: readonly string[];
  readonly subscribe: readonly string[];
}

/** The permissions of a service's user. */
export function permissionsOf(service: Service): Permissions {
  const { name, answers } = service;
  const replies = [`practice.reply.${name}.>`, `_INBOX.${name}.>`];
  if (!answers) {
    return { publish: ['practice.rpc.*'], neverPublish: [], subscribe: [...replies, IDENTITY_CHANGES] };
  }
  const isIdentity = name === 'identity';
  return {
    publish: [
      ...['practice.rpc.*', 'practice.reply.>', `practice.events.${name}.>`],
      ...(isIdentity ? [IDENTITY_CHANGES] : []),
      ...consumerRequests,
      `$JS.ACK.${STREAM}.>`,
    ],
    neverPublish: [
      // Only gateways sign users in and check their tokens.
      ...(isIdentity ? [] : ['practice.rpc.identity']),
      ...services.filter((other) => other !== service).flatMap(consumerOf),
    ],
    subscribe: [`practice.rpc.${name}`, ...replies, ...(isIdentity ? [IDENTITY_CHANGES] : [])],
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
