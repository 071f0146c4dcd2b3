import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type Connection } from '../messaging/connection.js';
import { make, newPractice, npmRun, stack } from '@practice/testing';
import { findConsumers } from './consumers.js';
import { listDeadLetters } from './dead-letters.js';
import { replay } from './replay.js';
import { lamp, lamps, until } from './testing/lamps.js';

const root = join(import.meta.dirname, '../../../..');
const { fresh, connected, publish, listen, streams } = lamps();

const name = `outside-${randomUUID().slice(0, 8)}`;
const run = async (...args: string[]): Promise<string> => {
  const { status, output } = await npmRun('events', args);
  if (status !== 0) throw new Error(output);
  return output;
};

let url: string;
/** A service's connection that was opened before the user existed. */
let before: Connection;
const lost: string[] = [];

beforeAll(async () => {
  const logger = { info() {}, warn: (_: object, message: string) => void lost.push(message), error() {} };
  before = await connect({ url: stack().natsUrl('finance'), name: 'spec', logger });
  url = /^nats:\S+/.exec(await run('user', name, '--subscription', `${name}-more`))?.[0] as string;
});
afterAll(() => before.close());

const asUser = (logger?: Partial<Connection['logger']>) => connected(logger, url);

/** The given subjects for which the server refuses the action. */
async function refused(
  act: (connection: Connection, subject: string) => void,
  subjects: string[],
): Promise<string[]> {
  const errors: string[] = [];
  const connection = await asUser();
  const statuses = (async () => {
    for await (const status of connection.nats.status())
      if (status.type === 'error') errors.push(status.error.message);
  })();
  for (const subject of subjects) act(connection, subject);
  await connection.nats.flush();
  await connection.close();
  await statuses;
  return subjects.filter((subject) => errors.some((error) => error.includes(`"${subject}"`)));
}

describe('an outside subscriber', () => {
  it('can subscribe under its name and add event types, and its failing events become dead letters', async () => {
    await publish([lamp('p', 1), lamp('p', 2, 'LampPutOut'), lamp('p', 3)]);
    const first: number[] = [];
    const subscription = await listen(({ position }) => void first.push(position), {
      connection: await asUser(),
      name,
      events: ['LampLit'],
    });
    await until(() => first.length === 2);
    await subscription.stop();
    const second: number[] = [];
    let isBroken = true;
    await listen(
      ({ position }) => {
        if (isBroken) throw new Error('no');
        second.push(position);
      },
      { connection: await asUser(), name, events: ['LampLit', 'LampPutOut'], maxAttempts: 2 },
    );
    const admin = await connected();
    await until(async () => (await listDeadLetters(admin, name)).length === 1);
    await until(async () => (await findConsumers(await streams(), name)).length === 1);
    const [letter] = await listDeadLetters(admin, name);
    expect(await run('dead-letters', 'list', name)).toContain(`${letter?.id}`);
    expect(await run('dead-letters', 'show', letter?.id ?? '')).toContain('"position": 2');
    isBroken = false;
    expect(await run('dead-letters', 'retry', letter?.id ?? '')).toBe(`Handled: ${letter?.id}.\n`);
    expect([first, second]).toEqual([[1, 3], [2]]);
    await expect(run('dead-letters', 'discard', letter?.id ?? '')).rejects.toThrow('There is no dead letter');
    expect(await run('lag')).toMatch(new RegExp(`^${name} +0 +0 +0 +- +yes$`, 'm'));
  });

  it('can subscribe under the other names it was given, and replay the stream', async () => {
    await publish([lamp('p', 1)]);
    const connection = await asUser();
    const seen: number[] = [];
    await listen(({ position }) => void seen.push(position), { connection, name: `${name}-more` });
    await until(() => seen.length === 1);
    const replayed: number[] = [];
    for await (const { event } of replay({
      connection,
      subjects: fresh.subjects,
      consumer: `${name}~replay`,
    }))
      replayed.push(event.position);
    expect(replayed).toEqual([1]);
  });

  it('can read events with the plain NATS client outside the repository, as examples/nats.mjs does', async () => {
    const reader = `plain-${randomUUID().slice(0, 8)}`;
    const own = /^nats:\S+/.exec(await run('user', reader))?.[0] as string;
    const folder = await mkdtemp(join(tmpdir(), 'practice-plain-'));
    await cp(join(root, 'examples/nats.mjs'), join(folder, 'nats.mjs'));
    await mkdir(join(folder, 'node_modules'));
    await symlink(join(root, 'node_modules/@nats-io'), join(folder, 'node_modules/@nats-io'));
    const practice = await newPractice();
    const child = spawn(process.execPath, ['nats.mjs'], { cwd: folder, env: { NATS_URL: own } });
    let output = '';
    child.stdout.on('data', (data: Buffer) => (output += data.toString()));
    child.stderr.on('data', (data: Buffer) => (output += data.toString()));
    const ended = once(child, 'exit');
    await make(practice, 'appointments', { date: '2030-01-07', start_time: '09:00', end_time: '10:00' });
    await until(() =>
      output.includes(`${practice.therapistId} 1 practice.scheduling.AppointmentScheduled.v1`),
    );
    child.kill('SIGTERM');
    expect({ ended: await ended, output }).toMatchObject({ ended: [0, null] });
    await rm(folder, { recursive: true });
  });

  it('cannot publish events, call a service or touch the consumers of others', async () => {
    const subjects = [
      `practice.events.scheduling.${randomUUID()}.appointment.AppointmentScheduled`,
      'practice.rpc.scheduling.gateway.call',
      'practice.rpc.scheduling.clients.lookup',
      'practice.reply.gateway.scheduling.x.r',
      '$JS.API.CONSUMER.CREATE.PRACTICE_EVENTS',
      '$JS.API.CONSUMER.CREATE.PRACTICE_EVENTS.clients-mirror-scheduling.practice.events.>',
      '$JS.API.CONSUMER.DURABLE.CREATE.PRACTICE_EVENTS.clients-mirror-scheduling',
      '$JS.API.CONSUMER.DELETE.PRACTICE_EVENTS.clients-mirror-scheduling',
      '$JS.API.CONSUMER.INFO.PRACTICE_EVENTS.clients-mirror-scheduling',
      '$JS.ACK.PRACTICE_EVENTS.clients-mirror-scheduling.1.1.1.1.1',
      '$JS.API.CONSUMER.LIST.PRACTICE_EVENTS',
      '$JS.API.STREAM.MSG.GET.PRACTICE_EVENTS',
      '$JS.API.STREAM.PURGE.PRACTICE_EVENTS',
      '$JS.API.STREAM.INFO.PRACTICE_DEAD_LETTERS',
      'practice.dead-letters.clients-mirror-scheduling.letter.1',
    ];
    expect(await refused(({ nats }, subject) => nats.publish(subject, '{}'), subjects)).toEqual(subjects);
  });

  it('cannot read replies, requests or other inboxes', async () => {
    const subjects = [
      ...['practice.reply.>', 'practice.rpc.scheduling.>', 'practice.events.>', 'practice.dead-letters.>'],
      ...['_INBOX.>', '_INBOX.admin.>', '$JS.>', '>'],
    ];
    const ignore = { callback: () => undefined };
    expect(await refused(({ nats }, subject) => nats.subscribe(subject, ignore), subjects)).toEqual(subjects);
  });

  it('cannot have a name that belongs to the product or to another user', async () => {
    for (const taken of ['admin', 'scheduling', 'clients-mirror-scheduling', `${name}-more`, 'Über'])
      await expect(run('user', taken)).rejects.toThrow(/reserved|belongs to|not a valid name/);
  });

  it('is listed, and loses its access when it is revoked, while other users stay connected', async () => {
    expect(await run('user', 'list')).toContain(`${name}  ${name}, ${name}-more`);
    const connection = await asUser();
    expect(await run('user', name, '--revoke')).toContain(`Revoked: ${name}.`);
    await until(() => !connection.isUp());
    expect(connection.isUp()).toBe(false);
    await connection.nats.close();
    await expect(asUser()).rejects.toThrow();
    expect(await run('user', 'list')).not.toContain(name);
    await expect(run('user', name, '--revoke')).rejects.toThrow('There is no user');
    expect({ isUp: before.isUp(), lost }).toEqual({ isUp: true, lost: [] });
  });
});
