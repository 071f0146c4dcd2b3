// The subjects that each NATS user may publish and subscribe to. The server refuses all others.
import { IDENTITY_CHANGES, STREAM } from '@practice/contracts';
import { services, type Service } from '../services.js';

export interface Permissions {
  readonly publish: readonly string[];
  /** Refused although `publish` allows it. */
  readonly neverPublish?: readonly string[];
  readonly subscribe: readonly string[];
}

/**
 * A service sends and answers requests, publishes its own events and subscribes to events of other services. A gateway only
 * sends requests.
 */
export function permissionsOf({ name, answers }: Service): Permissions {
  const replies = `practice.reply.${name}.>`;
  if (!answers)
    return { publish: ['practice.rpc.*'], subscribe: [replies, `_INBOX.${name}.>`, IDENTITY_CHANGES] };
  const sources = services.filter((other) => other.name !== name);
  const reader = readerPermissions(
    name,
    sources.map((source) => `${name}-mirror-${source.name}`),
  );
  const isIdentity = name === 'identity';
  const changes = isIdentity ? [IDENTITY_CHANGES] : [];
  return {
    publish: [
      'practice.rpc.*',
      'practice.reply.>',
      `practice.events.${name}.>`,
      ...changes,
      ...reader.publish,
    ],
    // Only gateways sign users in and check their tokens.
    ...(isIdentity ? {} : { neverPublish: ['practice.rpc.identity'] }),
    subscribe: [`practice.rpc.${name}`, replies, ...changes, ...reader.subscribe],
  };
}

/**
 * A reader keeps the listed subscriptions and replays the stream. It sees only the messages that its own consumers deliver to its
 * own inbox. NATS compares whole tokens, so every consumer is listed by name.
 */
export function readerPermissions(user: string, subscriptions: readonly string[]): Permissions {
  const replay = `${user}~replay`;
  // A subscription's second consumer replaces the first one when event types are added.
  const durables = subscriptions.flatMap((name) => [name, `${name}~2`]);
  return {
    publish: [
      `$JS.API.STREAM.INFO.${STREAM}`,
      ...[...durables, replay].flatMap((consumer) => [
        `$JS.API.CONSUMER.CREATE.${STREAM}.${consumer}`,
        `$JS.API.CONSUMER.CREATE.${STREAM}.${consumer}.>`,
        `$JS.API.CONSUMER.INFO.${STREAM}.${consumer}`,
        `$JS.API.CONSUMER.DELETE.${STREAM}.${consumer}`,
        `$JS.ACK.${STREAM}.${consumer}.>`,
      ]),
      `$JS.API.CONSUMER.MSG.NEXT.${STREAM}.${replay}`,
      ...subscriptions.flatMap((name) => [
        `practice.dead-letters.${name}.letter.*`,
        `practice.dead-letters.${name}.result.*`,
      ]),
    ],
    subscribe: [`_INBOX.${user}.>`, ...subscriptions.map((name) => `practice.dead-letters.${name}.retry`)],
  };
}
