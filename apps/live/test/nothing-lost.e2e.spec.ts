// Readers of streams that are cut off, slowed down and moved to other processes, while practices write: nothing is lost, nothing comes
// twice, and the order holds. FEED_EVENTS and FEED_PRACTICES make it longer.

import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, it, jest } from '@jest/globals';
import { eventually, newPractice, stack } from '@practice/testing';
import type { Practice } from '@practice/testing';
import pg from 'pg';
import { openSource } from './event-source.js';
import type { Sent } from './event-source.js';
import { sizes } from './sizes.config.js';

const { events: total, practices: count } = sizes;
const each = Math.ceil(total / count);
const BATCH = 10;
jest.setTimeout(60_000 + total * 30);

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface Reader {
  readonly practice: Practice;
  readonly sent: Sent[];
  cuts: number;
  isDone: boolean;
}

/** Reads on from the last id, through streams that it cuts off after some events or some time, or reads slowly. */
async function read(reader: Reader, origin: string): Promise<void> {
  const { practice, sent } = reader;
  let lastEventId: string | undefined;
  while (!reader.isDone) {
    const most = 1 + Math.floor(Math.random() * 40);
    const delay = Math.random() < 0.3 ? 20 : 0;
    const stream = await openSource({
      ...{ token: practice.token, origin, lastEventId },
      onPiece: () => pause(delay),
    }).catch(() => undefined);
    if (stream?.status !== 200) {
      await pause(50);
      continue;
    }
    const cutAt = Date.now() + 100 + Math.random() * 400;
    const isEnough = (): boolean => reader.isDone || stream.events.length >= most || Date.now() > cutAt;
    const enough = (async () => {
      while (!isEnough()) await pause(5);
    })();
    await Promise.race([stream.ended, enough]);
    stream.close();
    await stream.ended;
    reader.cuts += 1;
    sent.push(...stream.events);
    lastEventId = stream.lastId() === '' ? undefined : stream.lastId();
  }
}

async function write({ rest }: Practice): Promise<void> {
  for (let written = 0; written < each; written += BATCH) {
    const body = Array.from({ length: BATCH }, () => ({ date: '2026-01-05', amount: 1 }));
    const isOfClients = Math.random() < 0.3;
    const answer = isOfClients
      ? await rest('clients', { method: 'POST', body: body.map((_, index) => ({ name: `Client ${index}` })) })
      : await rest('expenses', { method: 'POST', body });
    expect([answer.status, answer.text]).toEqual([201, '']);
  }
}

/** The logs of the services that were written to, from the database. */
async function logOf({ therapistId }: Practice, database: pg.Client): Promise<string[]> {
  const logs = ['clients', 'finance'].map(
    (schema) => `SELECT '${schema}' AS service, position FROM ${schema}.events WHERE therapist_id = $1`,
  );
  const { rows } = await database.query<{ service: string; position: string }>(
    `${logs.join(' UNION ALL ')} ORDER BY service, position`,
    [therapistId],
  );
  return rows.map(({ service, position }) => `${service} ${position}`);
}

const received = ({ sent }: Reader, service: string): string[] =>
  sent
    .filter(({ data }) => data.source === `/practice/${service}`)
    .map(({ data }) => `${service} ${data.position}`);

it(`delivers each of ${total} events of ${count} practices once and in order to readers that are cut off`, async () => {
  const lives = await Promise.all([1, 2, 3].map(() => stack().spawnProcess('live')));
  for (const { stop } of lives) closing.push(stop);
  const gateway = await stack().spawnProcess('gateway', {
    LIVE_URLS: lives.map(({ origin }) => origin).join(','),
  });
  closing.push(gateway.stop);
  const database = new pg.Client({ connectionString: stack().adminDatabaseUrl });
  await database.connect();
  closing.push(() => database.end());
  const practices = await Promise.all(Array.from({ length: count }, () => newPractice()));
  const readers: Reader[] = practices.map((practice) => ({ practice, sent: [], cuts: 0, isDone: false }));
  const reading = readers.map((reader) => read(reader, gateway.origin));
  const progress = (): number => readers.reduce((sum, { sent }) => sum + sent.length, 0);

  const writing = Promise.all(practices.map(write));
  // Two of the three processes are killed on the way.
  for (const [index, { pid }] of lives.slice(0, 2).entries()) {
    await eventually('some events have arrived', () => progress() >= (index + 1) * 10);
    process.kill(pid, 'SIGKILL');
  }
  await writing;

  for (const reader of readers) {
    const log = await logOf(reader.practice, database);
    const isWhole = (): boolean =>
      received(reader, 'clients').length + received(reader, 'finance').length >= log.length;
    while (!isWhole()) await pause(20);
    reader.isDone = true;
    expect([...received(reader, 'clients'), ...received(reader, 'finance')]).toEqual(log);
    expect(new Set(reader.sent.map(({ data }) => data.therapistid))).toEqual(
      new Set([reader.practice.therapistId]),
    );
  }
  await Promise.all(reading);
  expect(readers.every(({ cuts }) => cuts > 1)).toBe(true);
});
