// The requests that the server refuses to an attacker with the real credentials of a service.

import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterEach, describe, expect, it } from '@jest/globals';
import { services } from '../settings/services.js';
import { EVENTS_OF_PRACTICE, personalServices } from '@practice/contracts';
import { stack } from '@practice/testing';
import { erasingMessages, questionsOf } from './permissions.js';

const running = stack();
const open: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

async function onBusAs(user: string): Promise<NatsConnection> {
  const { host, username, password } = new URL(running.natsUrl(user));
  const connection = await connect({
    servers: host,
    user: username,
    pass: password,
    inboxPrefix: `_INBOX.${user}`,
    reconnect: false,
  });
  open.push(() => connection.close());
  return connection;
}

/** Counts the requests that the server refuses. */
async function refusals(connection: NatsConnection, attempt: () => void): Promise<number> {
  const statuses = connection.status();
  attempt();
  await connection.flush();
  void connection.close();
  let refused = 0;
  for await (const status of statuses)
    if (status.type === 'error' && /permissions violation/i.test(status.error.message)) refused += 1;
  return refused;
}

/** Whether the user may delete messages: a service with personal values does so. */
const mayErase = (user: string): boolean => personalServices.includes(user);

const names = services.map(({ name }) => name);
/** The gateway and the live processes answer callers, and have no events. */
const edges = services.filter(({ answers }) => !answers).map(({ name }) => name);
/** Whether the user reads the feeds of practices. */
const hearsEvents = (user: string): boolean => ['live', 'webhooks'].includes(user);
const others = (name: string): string[] => names.filter((other) => other !== name);

/** Requests about a consumer, and acknowledgements of its deliveries. */
const foreignConsumer = (consumer: string): string[] => [
  `$JS.API.CONSUMER.DURABLE.CREATE.PRACTICE_EVENTS.${consumer}`,
  `$JS.API.CONSUMER.CREATE.PRACTICE_EVENTS.${consumer}`,
  `$JS.API.CONSUMER.CREATE.PRACTICE_EVENTS.${consumer}.practice.events.>`,
  `$JS.API.CONSUMER.INFO.PRACTICE_EVENTS.${consumer}`,
  `$JS.API.CONSUMER.MSG.NEXT.PRACTICE_EVENTS.${consumer}`,
  `$JS.API.CONSUMER.DELETE.PRACTICE_EVENTS.${consumer}`,
  `$JS.API.CONSUMER.PAUSE.PRACTICE_EVENTS.${consumer}`,
  `$JS.API.CONSUMER.RESET.PRACTICE_EVENTS.${consumer}`,
  `$JS.API.CONSUMER.UNPIN.PRACTICE_EVENTS.${consumer}`,
  `$JS.API.CONSUMER.LEADER.STEPDOWN.PRACTICE_EVENTS.${consumer}`,
  `$JS.ACK.PRACTICE_EVENTS.${consumer}.1.1.1.1.1`,
];

/** Requests about streams, old and new. */
const streamRequests = ['PRACTICE_EVENTS', 'PRACTICE_DEAD_LETTERS'].flatMap((stream) => [
  `$JS.API.CONSUMER.CREATE.${stream}`,
  `$JS.API.CONSUMER.LIST.${stream}`,
  `$JS.API.CONSUMER.NAMES.${stream}`,
  `$JS.API.STREAM.MSG.GET.${stream}`,
  `$JS.API.STREAM.MSG.DELETE.${stream}`,
  `$JS.API.DIRECT.GET.${stream}`,
  `$JS.API.DIRECT.GET.${stream}.practice.events.identity.x.user.UserRegistered`,
  `$JS.API.STREAM.CREATE.${stream}`,
  `$JS.API.STREAM.UPDATE.${stream}`,
  `$JS.API.STREAM.DELETE.${stream}`,
  `$JS.API.STREAM.PURGE.${stream}`,
  `$JS.API.STREAM.SNAPSHOT.${stream}`,
  `$JS.API.STREAM.RESTORE.${stream}`,
  `$JS.API.STREAM.PEER.REMOVE.${stream}`,
]);

/** Requests under other names, and requests under the user's own name that no definition needs. */
const foreignRequests = (user: string): string[] =>
  names.flatMap((to) => [
    ...others(user).flatMap((caller) =>
      ['call', 'lookup', 'deletion', 'gateway-state', 'personal-token'].map(
        (op) => `practice.rpc.${to}.${caller}.${op}`,
      ),
    ),
    ...(edges.includes(user)
      ? [...(user === 'live' ? ['call'] : [EVENTS_OF_PRACTICE]), 'lookup', 'deletion']
      : [EVENTS_OF_PRACTICE, 'call', 'gateway-state', 'personal-token', 'lookup', 'deletion'].filter(
          (op) => !questionsOf(user).some((question) => question.to === to && question.op === op),
        )
    ).map((op) => `practice.rpc.${to}.${user}.${op}`),
    `practice.rpc.${to}`,
  ]);

const foreignReplies = (user: string): string[] =>
  others(user).flatMap((replier) => [
    `practice.reply.gateway.${replier}.secret.r`,
    `practice.reply.${replier}.gateway.secret.0`,
    `_INBOX.${replier}.x`,
  ]);

describe('a NATS user of a service', () => {
  it.each(names)(
    '%s cannot publish on subjects of another service or change a consumer of another service',
    async (user) => {
      const subjects = [
        ...others(user).flatMap((other) => [
          `practice.events.${other}.0198a0aa-51b7-7e61-b3ad-2f4d8c6e1a77.thing.ThingHappened`,
          `practice.dead-letters.${other}-mirror-${user}.letter.1`,
          `practice.dead-letters.${other}-mirror-${user}.retry`,
          ...foreignConsumer(`${other}-mirror-${user}`),
          ...foreignConsumer(`${other}-mirror-${user}~2`),
          ...foreignConsumer(`${other}~replay`),
          ...foreignConsumer(`${other}~published`),
        ]),
        ...foreignConsumer('reminders'),
        // A service makes the stream of events again if it is gone.
        ...streamRequests.filter(
          (subject) =>
            !(mayErase(user) && erasingMessages.includes(subject)) &&
            (edges.includes(user) || subject !== '$JS.API.STREAM.CREATE.PRACTICE_EVENTS'),
        ),
        ...foreignRequests(user),
        ...foreignReplies(user),
        ...(user === 'identity' ? [] : ['practice.identity.changes']),
        '$JS.API.STREAM.CREATE.MINE',
        '$JS.API.STREAM.LIST',
        '$JS.API.INFO',
        '$SYS.REQ.SERVER.PING',
      ];
      const connection = await onBusAs(user);
      const refused = await refusals(connection, () => {
        for (const subject of subjects) connection.publish(subject, '{}');
      });
      expect(refused).toBe(subjects.length);
    },
  );

  it.each(names)('%s cannot subscribe to subjects of another service', async (user) => {
    const subjects = [
      ...others(user).flatMap((other) => [
        `practice.rpc.${other}.>`,
        `practice.rpc.${other}.*.*`,
        `practice.rpc.*.${other}.call`,
        `practice.reply.${other}.>`,
        `_INBOX.${other}.>`,
        ...(hearsEvents(user) ? [] : [`practice.events.${other}.>`]),
        `practice.dead-letters.${other}-mirror-${user}.retry`,
      ]),
      ...[
        'practice.rpc.>',
        'practice.reply.>',
        'practice.reply.*.*.*.*',
        ...(hearsEvents(user) ? [] : ['practice.events.>']),
        '_INBOX.>',
        '$JS.>',
        '$SYS.>',
        '>',
      ],
    ];
    const connection = await onBusAs(user);
    const refused = await refusals(connection, () => {
      for (const subject of subjects) connection.subscribe(subject, { callback: () => undefined });
    });
    expect(refused).toBe(subjects.length);
  });

  it('receives its own replies, and sends the requests that its definitions need', async () => {
    const connection = await onBusAs('scheduling');
    const refused = refusals(connection, () => {
      connection.subscribe('practice.reply.scheduling.clients.me.*', { callback: () => undefined });
      for (const { to, op } of questionsOf('scheduling'))
        connection.publish(`practice.rpc.${to}.scheduling.${op}`, 'x');
    });
    expect(await refused).toBe(0);
    expect(questionsOf('clients')).toEqual([
      ...['clinical-notes', 'finance', 'identity', 'scheduling', 'webhooks'].flatMap((to) => [
        { to, op: 'lookup' },
        { to, op: 'events' },
      ]),
      ...['clinical-notes', 'finance', 'scheduling'].map((to) => ({ to, op: 'deletion' })),
      ...['clinical-notes', 'finance', 'scheduling'].flatMap((to) =>
        ['erased-part', 'erase-from-bus'].map((op) => ({ to, op })),
      ),
      { to: 'identity', op: 'certify-erasure' },
      { to: 'identity', op: 'recent-sign-in' },
    ]);
    const sources = ['clients', 'clinical-notes', 'finance', 'scheduling', 'webhooks'];
    expect(questionsOf('identity')).toEqual([
      ...sources.flatMap((to) => ['lookup', 'events'].map((op) => ({ to, op }))),
      ...sources.map((to) => ({ to, op: 'log-root' })),
      ...['clients', 'clinical-notes', 'finance', 'scheduling'].flatMap((to) =>
        ['erased-part', 'erase-from-bus'].map((op) => ({ to, op })),
      ),
    ]);
  });

  it('cannot change a consumer of another service through requests about its own consumers', async () => {
    const victim = 'scheduling-mirror-clients';
    const admin = await onBusAs('admin');
    const request = async (connection: NatsConnection, subject: string, body: object): Promise<object> =>
      (await connection.request(subject, JSON.stringify(body), { timeout: 60_000 })).json();
    const known = async (): Promise<object> => {
      const { config, created } = (await request(
        admin,
        `$JS.API.CONSUMER.INFO.PRACTICE_EVENTS.${victim}`,
        {},
      )) as {
        config: object;
        created: string;
      };
      return { config, created };
    };
    const before = await known();
    const connection = await onBusAs('identity');
    for (const subject of [
      'identity~replay',
      'identity~replay.practice.events.>',
      'identity-mirror-finance~2',
    ])
      for (const names of [
        { durable_name: victim },
        { name: victim },
        { name: 'identity~replay', durable_name: victim },
      ])
        await request(connection, `$JS.API.CONSUMER.CREATE.PRACTICE_EVENTS.${subject}`, {
          stream_name: 'PRACTICE_EVENTS',
          config: { ack_policy: 'explicit', deliver_subject: '_INBOX.identity.x', ...names },
        });
    for (const own of ['identity~replay', 'identity-mirror-finance~2'])
      await request(connection, `$JS.API.CONSUMER.DELETE.PRACTICE_EVENTS.${own}`, {});
    expect(await known()).toEqual(before);
  });
});
