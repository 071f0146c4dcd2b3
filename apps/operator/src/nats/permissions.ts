// The subjects that each NATS user may publish and subscribe to. The server refuses all others.
import {
  appointments,
  CALENDAR_LINK,
  CALENDAR_PAGE,
  CALENDAR_STATE,
  catalog,
  CERTIFY_ERASURE,
  DEAD_LETTER_STREAM,
  ERASE_FROM_BUS,
  ERASED_PART,
  erasures,
  EVENTS_OF_PRACTICE,
  EVENTS_OF_RECORD,
  EXPORT_ARCHIVE,
  EXPORT_WORK,
  PROPOSAL,
  functionsOf,
  IDENTITY_CHANGES,
  IDENTITY_CHANGES_KNOWN,
  LIVE_SUBJECTS,
  LOG_ROOT,
  logSeals,
  personalServices,
  practices,
  RECENT_SIGN_IN,
  RECORD_CHANGES,
  REFILL,
  REQUIRES_MFA,
  serviceNames,
  STREAM,
  WEBHOOK_ERASURES,
  WEBHOOK_NEWS,
  webhooks,
} from '@practice/contracts';
import { GATEWAY, LIVE, storedServices, type Service } from '../settings/services.js';

export interface Permissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

/**
 * A service sends and answers requests, publishes its own events and subscribes to events of other services. A gateway only sends
 * requests, and a live process also listens to all events. The second name in the subject of a request is the sender; in the subject
 * of a reply, it is the replier. No user can send a request or a reply under another name.
 */
export function permissionsOf({ name }: Service): Permissions {
  const replies = `practice.reply.${name}.>`;
  if (name === LIVE) return livePermissions(name);
  if (name === GATEWAY)
    return {
      publish: [
        `practice.rpc.*.${name}.call`,
        `practice.gone.*.${name}`,
        ...gatewayOperations.map((op) => `practice.rpc.identity.${name}.${op}`),
        IDENTITY_CHANGES_KNOWN,
      ],
      subscribe: [replies, `_INBOX.${name}.>`, IDENTITY_CHANGES, 'practice.started.*'],
    };
  const sources = storedServices.filter((other) => other.name !== name);
  const reader = readerPermissions(name, [
    ...sources.map((source) => `${name}-mirror-${source.name}`),
    ...(name === webhooks.service ? [WEBHOOK_ERASURES, WEBHOOK_NEWS] : []),
  ]);
  const [changes, known] = name === 'identity' ? [[IDENTITY_CHANGES], [IDENTITY_CHANGES_KNOWN]] : [[], []];
  return {
    publish: [
      ...questionsOf(name).map(({ to, op }) => `practice.rpc.${to}.${name}.${op}`),
      `practice.reply.*.${name}.>`,
      `practice.started.${name}`,
      `practice.events.${name}.>`,
      ...changes,
      ...(personalServices.includes(name) ? erasingMessages : []),
      ...reader.publish,
      ...relayRequests(name),
    ],
    subscribe: [
      `practice.rpc.${name}.>`,
      `practice.gone.${name}.*`,
      ...changes,
      ...known,
      ...(name === webhooks.service ? feedPermissions(name).subscribe : []),
      ...reader.subscribe,
    ],
  };
}

/** A relay checks whether the stream still has the events that it published, and creates the stream again if it is gone. */
const relayRequests = (name: string): string[] => [
  ...ofStreams,
  ...['CREATE', 'INFO', 'DELETE', 'MSG.NEXT'].flatMap((does) => {
    const api = `$JS.API.CONSUMER.${does}.${STREAM}.${name}~published`;
    return does === 'CREATE' ? [api, `${api}.>`] : [api];
  }),
];

/** A relay makes the stream; metrics count dead letters. */
const ofStreams = [`$JS.API.STREAM.CREATE.${STREAM}`, `$JS.API.STREAM.INFO.${DEAD_LETTER_STREAM}`];

/** A live process checks tokens, reads feeds, makes calendars, asks for changed records and talks to the other live processes. */
function livePermissions(name: string): Permissions {
  const feed = feedPermissions(name);
  return {
    publish: [
      ...[...stateOperations, CALENDAR_LINK].map((op) => `practice.rpc.identity.${name}.${op}`),
      ...[CALENDAR_STATE, CALENDAR_PAGE].map((op) => `practice.rpc.${appointments.service}.${name}.${op}`),
      ...serviceNames.map((owner) => `practice.rpc.${owner}.${name}.${RECORD_CHANGES}`),
      ...feed.publish,
      IDENTITY_CHANGES_KNOWN,
      LIVE_SUBJECTS,
    ],
    subscribe: [
      `practice.reply.${name}.>`,
      `_INBOX.${name}.>`,
      IDENTITY_CHANGES,
      'practice.started.*',
      ...feed.subscribe,
      LIVE_SUBJECTS,
    ],
  };
}

/** The requests of gateways that concern no caller. */
const stateOperations = ['gateway-state', 'personal-token'];
const gatewayOperations = [...stateOperations, EXPORT_WORK, EXPORT_ARCHIVE, PROPOSAL, REQUIRES_MFA];

/** A reader of feeds asks the owners of all logs for the events of a practice, and hears events as they are published. */
const feedPermissions = (name: string): Permissions => ({
  publish: serviceNames.map((owner) => `practice.rpc.${owner}.${name}.${EVENTS_OF_PRACTICE}`),
  subscribe: ['practice.events.>'],
});

/**
 * The requests that a service sends to other services for its own work. It asks for records of a service that its own records refer
 * to, or whose events its policies may read. Before a deletion, it asks the services whose records refer to the deleted record. The
 * owner of the seals asks all services for the roots of their logs.
 */
export function questionsOf(name: string): { readonly to: string; readonly op: string }[] {
  const serviceOf = (resource: string): string => catalog.resources.get(resource)?.service ?? '';
  const relations = catalog.relations.map(({ from, to }) => [serviceOf(from), serviceOf(to)] as const);
  const withEvents = [...catalog.resources.values()].map(({ service }) => service);
  const referred = relations.filter(([from]) => from === name).map(([, to]) => to);
  const referring = relations.filter(([, to]) => to === name).map(([from]) => from);
  const others = (found: readonly string[]): string[] =>
    [...new Set(found)].filter((other) => other !== name).sort();
  return [
    // `events` asks for events that the stream has lost.
    ...others([...referred, ...(withEvents.includes(name) ? withEvents : [])]).flatMap((to) => [
      { to, op: 'lookup' },
      { to, op: EVENTS_OF_RECORD },
    ]),
    ...others(referring).map((to) => ({ to, op: 'deletion' })),
    ...(name === logSeals.service ? others(serviceNames) : []).map((to) => ({ to, op: LOG_ROOT })),
    ...(name === erasures.service
      ? [...partsOf(others(personalServices)), { to: logSeals.service, op: CERTIFY_ERASURE }]
      : []),
    ...(asksForProof(name) ? others([logSeals.service]) : []).map((to) => ({ to, op: RECENT_SIGN_IN })),
    ...(name === practices.service ? partsOf(others(personalServices)) : []),
    ...(name === webhooks.service ? serviceNames : []).map((to) => ({ to, op: EVENTS_OF_PRACTICE })),
  ];
}

/**
 * The requests of a service whose events have personal values: an erasure deletes their messages. NATS cannot limit the permission to
 * the service's own messages. The service is trusted with the messages of other services, whose logs keep all events.
 */
export const erasingMessages = [
  `$JS.API.STREAM.MSG.DELETE.${STREAM}`,
  `$JS.API.STREAM.MSG.GET.${DEAD_LETTER_STREAM}`,
  `$JS.API.STREAM.MSG.DELETE.${DEAD_LETTER_STREAM}`,
];

/** The owners of erasures (of a client and of a practice) ask each service whether it has erased its part. */
const partsOf = (services: readonly string[]): { readonly to: string; readonly op: string }[] =>
  services.flatMap((to) => [ERASED_PART, ERASE_FROM_BUS].map((op) => ({ to, op })));

/** A service with a function that requires a recent proof of the caller asks identity for it. */
const asksForProof = (service: string): boolean =>
  functionsOf(service).some(({ arguments: given }) => 'current_password' in given);

/**
 * A reader keeps the listed subscriptions, replays the stream, and asks for events that are no longer in the stream. It sees only the
 * messages that its own consumers deliver to its own inbox. NATS compares whole tokens, so every consumer is listed by name.
 */
export function readerPermissions(user: string, subscriptions: readonly string[]): Permissions {
  const replay = `${user}~replay`;
  // A subscription's second consumer replaces the first one when event types are added.
  const durables = subscriptions.flatMap((name) => [name, `${name}~2`]);
  return {
    publish: [
      `$JS.API.STREAM.INFO.${STREAM}`,
      ...serviceNames.map((owner) => `practice.rpc.${owner}.${user}.${REFILL}`),
      ...[...durables, replay].flatMap((consumer) => [
        `$JS.API.CONSUMER.CREATE.${STREAM}.${consumer}`,
        `$JS.API.CONSUMER.CREATE.${STREAM}.${consumer}.>`,
        `$JS.API.CONSUMER.INFO.${STREAM}.${consumer}`,
        `$JS.API.CONSUMER.DELETE.${STREAM}.${consumer}`,
        `$JS.API.CONSUMER.MSG.NEXT.${STREAM}.${consumer}`,
        `$JS.ACK.${STREAM}.${consumer}.>`,
      ]),
      ...subscriptions.flatMap((name) => [
        `practice.dead-letters.${name}.letter.*`,
        `practice.dead-letters.${name}.result.*`,
      ]),
    ],
    subscribe: [
      `_INBOX.${user}.>`,
      `practice.reply.${user}.>`,
      ...subscriptions.map((name) => `practice.dead-letters.${name}.retry`),
    ],
  };
}
