import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { allSteps } from '@practice/core';
import { scratchService, systemMetadata, type ScratchService } from '@practice/testing';
import type pg from 'pg';
import { actToWrite, asSystem } from './acting.js';
import { appendAll, lockPractices, openPractice, streamVersions } from './append.js';
import type { NewEvent } from './new-event.js';
import { sharedTables } from './migrations.js';
import { eventColumns, openedEvents, practicesOf, readLog, type LoggedFact } from './read-log.js';
import type { Statement } from './statement.js';

let log: ScratchService;

beforeAll(async () => {
  log = await scratchService(sharedTables);
});

afterAll(() => log.drop());

const connected = (url = log.url()): Promise<pg.Client> => log.connect(url);

const ask = (client: pg.Client, { text, values }: Statement) => client.query(text, values as unknown[]);

const lamp = { created: ['LampInstalled'], deleted: ['LampRemoved'] };

const lit = (
  streamId: string,
  version: number,
  type = version === 1 ? 'LampInstalled' : 'LampLit',
): NewEvent => ({
  type,
  lifecycle: lamp,
  data: { brightness: version },
  aggregate: 'lamp',
  streamId,
  version,
  schemaVersion: 1,
  metadata: systemMetadata(),
  recordedAt: '2026-05-01T08:00:00.12+00:00',
});

/** One write transaction, as every service does it. */
async function append(
  client: pg.Client,
  therapistId: string,
  { events, end = 'COMMIT' }: { events: readonly NewEvent[]; end?: 'COMMIT' | 'ROLLBACK' },
): Promise<void> {
  const { service } = log;
  await client.query('BEGIN');
  try {
    await ask(client, actToWrite([asSystem(therapistId)]));
    const lock = lockPractices(service, [therapistId], 'wait');
    let [head] = (await ask(client, lock)).rows as { position: string }[];
    if (head === undefined) {
      await ask(client, openPractice(service, therapistId));
      [head] = (await ask(client, lock)).rows as { position: string }[];
    }
    await ask(
      client,
      allSteps(appendAll(service, [{ therapistId, position: Number(head?.position), events }])),
    );
    await client.query(end);
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

async function eventsOf(client: pg.Client, therapistId: string, after = 0): Promise<LoggedFact[]> {
  const events: LoggedFact[] = [];
  for await (const event of readLog(client, { service: log.service, therapistId, after })) events.push(event);
  return events;
}

async function positionsOf(client: pg.Client, therapistId: string): Promise<number[]> {
  return (await eventsOf(client, therapistId)).map(({ position }) => position);
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

describe('concurrent appends to one practice', () => {
  it('take the positions 1 to n, and a reader never sees a position without the positions before it', async () => {
    const practice = randomUUID();
    const [reader, ...writers] = await Promise.all(
      [log.url('owner'), ...upTo(6).map(() => log.url())].map(connected),
    );
    let writing = true;
    const looks: { seen: string; highest: string | null }[] = [];
    const looking = (async () => {
      while (writing) {
        const { rows } = await (reader as pg.Client).query<{ seen: string; highest: string | null }>(
          `SELECT count(*) AS seen, max(position) AS highest FROM ${log.service}.events WHERE therapist_id = $1`,
          [practice],
        );
        looks.push(...rows);
      }
    })();
    await Promise.all(
      writers.map(async (writer) => {
        for (const round of upTo(20)) {
          const events = upTo(1 + (round % 3)).map(() => lit(randomUUID(), 1));
          await append(writer, practice, { events, end: round % 5 === 0 ? 'ROLLBACK' : 'COMMIT' });
        }
      }),
    );
    writing = false;
    await looking;
    const kept =
      6 *
      upTo(20)
        .filter((round) => round % 5 !== 0)
        .reduce((sum, round) => sum + 1 + (round % 3), 0);
    expect(await positionsOf(reader as pg.Client, practice)).toEqual(upTo(kept));
    expect(looks.filter(({ seen, highest }) => Number(highest ?? 0) !== Number(seen))).toEqual([]);
    expect((await practicesOf(reader as pg.Client, log.service)).get(practice)).toBe(kept);
  });

  it('are recorded in their order: the clock is read when the practice is locked', async () => {
    const practice = randomUUID();
    const [holder, writer] = [await connected(), await connected()];
    const lock = lockPractices(log.service, [practice], 'wait');
    await append(holder, practice, { events: [lit(randomUUID(), 1)] });
    for (const client of [holder, writer]) {
      await client.query('BEGIN');
      await ask(client, actToWrite([asSystem(practice)]));
    }
    await ask(holder, lock);
    const waiting = ask(writer, lock);
    const { rows: clock } = await ask(holder, {
      text: 'SELECT clock_timestamp() AS now FROM pg_sleep(0.05)',
      values: [],
    });
    const second = allSteps(
      appendAll(log.service, [{ therapistId: practice, position: 1, events: [lit(randomUUID(), 1)] }]),
    );
    await ask(holder, second);
    await holder.query('COMMIT');
    const [head] = (await waiting).rows as { position: string; locked_at: Date }[];
    await writer.query('ROLLBACK');
    expect(head?.position).toBe('2');
    const [{ now } = { now: new Date(0) }] = clock as { now: Date }[];
    expect(head?.locked_at.getTime()).toBeGreaterThanOrEqual(now.getTime());
  });

  it.each([
    ['a millisecond after the last event, if that is ahead of the clock', 50, [1, 1]],
    ['by the clock, if the last event is more than a minute ahead', 3_600, [-3_600_000, -3_540_000]],
  ])('are recorded %s', async (_, ahead, [least = 0, most = 0]) => {
    const practice = randomUUID();
    const client = await connected();
    const clock = `SELECT date_trunc('milliseconds', clock_timestamp()) + make_interval(secs => $1) AS at`;
    const [{ at: last }] = (await client.query<{ at: Date }>(clock, [ahead])).rows as [{ at: Date }];
    const event = { ...lit(randomUUID(), 1), recordedAt: last.toISOString() };
    await append(client, practice, { events: [event] });
    await client.query('BEGIN');
    await ask(client, actToWrite([asSystem(practice)]));
    const { rows } = await ask(client, lockPractices(log.service, [practice], 'wait'));
    await client.query('ROLLBACK');
    const [{ locked_at: next }] = rows as [{ locked_at: Date }];
    const later = next.getTime() - last.getTime();
    expect(later).toBeGreaterThanOrEqual(least);
    expect(later).toBeLessThanOrEqual(most);
  });

  it('do not wait for another practice', async () => {
    const [one, other] = [randomUUID(), randomUUID()];
    const [holder, writer] = [await connected(), await connected()];
    await append(holder, one, { events: [lit(randomUUID(), 1)] });
    await holder.query('BEGIN');
    await ask(holder, actToWrite([asSystem(one)]));
    await ask(holder, lockPractices(log.service, [one], 'wait'));
    await append(writer, other, { events: [lit(randomUUID(), 1)] });
    await holder.query('ROLLBACK');
    expect(await positionsOf(await connected(log.url('owner')), other)).toEqual([1]);
  });

  it('of the same version of a stream conflict: one wins', async () => {
    const [practice, stream] = [randomUUID(), randomUUID()];
    const writers = await Promise.all(upTo(4).map(() => connected()));
    const outcomes = await Promise.allSettled(
      writers.map((writer) => append(writer, practice, { events: [lit(stream, 1), lit(randomUUID(), 1)] })),
    );
    const refused = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason as object] : [],
    );
    expect(refused).toHaveLength(3);
    for (const error of refused)
      expect(error).toMatchObject({ code: '23505', constraint: 'events_stream_key' });
    expect(await positionsOf(await connected(log.url('owner')), practice)).toEqual([1, 2]);
  });
});

describe('an event', () => {
  it('is read as it was appended, with the version of its type', async () => {
    const [practice, stream] = [randomUUID(), randomUUID()];
    const { lifecycle, ...event } = { ...lit(stream, 1), schemaVersion: 3 };
    await append(await connected(), practice, { events: [{ ...event, lifecycle }, lit(stream, 2)] });
    const owner = await connected(log.url('owner'));
    const { rows } = await owner.query(
      `SELECT ${eventColumns} FROM ${openedEvents(log.service)} AS e WHERE therapist_id = $1 ORDER BY position`,
      [practice],
    );
    expect(rows[0]).toEqual({ ...event, therapistId: practice, position: 1 });
    const { metadata: _metadata, previous: _previous, ...fact } = event;
    expect((await eventsOf(owner, practice, 0))[0]).toEqual({ ...fact, position: 1 });
    const after = await eventsOf(owner, practice, 1);
    expect(after.map(({ version }) => version)).toEqual([2]);
    const writer = await connected();
    await writer.query('BEGIN');
    await ask(writer, actToWrite([asSystem(practice)]));
    const streams = [randomUUID(), stream].map((key) => ({ therapistId: practice, key }));
    const versions = await ask(writer, streamVersions(log.service, 'lamp', streams));
    await writer.query('COMMIT');
    expect(versions.rows).toEqual([{ index: '2', version: 2 }]);
  });
});

describe('a stream', () => {
  const refusal = { code: '23505', constraint: 'events_stream_key' };
  let client: pg.Client;
  let owner: pg.Client;
  let practice: string;
  let stream: string;

  beforeEach(async () => {
    [client, owner] = [await connected(), await connected(log.url('owner'))];
    [practice, stream] = [randomUUID(), randomUUID()];
  });

  const add = (version: number, type: string): Promise<void> =>
    append(client, practice, { events: [lit(stream, version, type)] });

  it.each([2, 3, 7])(
    'that lives accepts no second creation, whatever its version is (%i)',
    async (version) => {
      await append(client, practice, { events: [lit(stream, 1), lit(stream, 2)] });
      await expect(add(version, 'LampInstalled')).rejects.toMatchObject(refusal);
      expect(await positionsOf(owner, practice)).toEqual([1, 2]);
    },
  );

  it('that was deleted begins again only with a creation', async () => {
    await append(client, practice, { events: [lit(stream, 1), lit(stream, 2, 'LampRemoved')] });
    await expect(add(3, 'LampLit')).rejects.toMatchObject(refusal);
    await expect(add(3, 'LampRemoved')).rejects.toMatchObject(refusal);
    await add(3, 'LampInstalled');
    await add(4, 'LampLit');
    expect(await positionsOf(owner, practice)).toEqual([1, 2, 3, 4]);
  });

  it.each(['LampLit', 'LampRemoved'])('that does not exist does not begin with %s', async (type) => {
    await expect(add(1, type)).rejects.toMatchObject({ code: '23502', table: 'events' });
    expect(await positionsOf(owner, practice)).toEqual([]);
  });

  it('keeps the order within one append as well', async () => {
    const both = (first: string, second: string): NewEvent[] => [
      lit(stream, 1, first),
      lit(stream, 2, second),
    ];
    const events = both('LampInstalled', 'LampInstalled');
    expect(() => allSteps(appendAll(log.service, [{ therapistId: practice, position: 0, events }]))).toThrow(
      'LampInstalled cannot follow LampInstalled',
    );
    await append(client, practice, {
      events: [...both('LampInstalled', 'LampRemoved'), lit(stream, 3, 'LampInstalled')],
    });
    expect(await positionsOf(owner, practice)).toEqual([1, 2, 3]);
  });

  it('of another aggregate or practice with the same id is another stream', async () => {
    await append(client, practice, { events: [lit(stream, 1)] });
    await append(client, practice, { events: [{ ...lit(stream, 1), aggregate: 'shade' }] });
    const other = randomUUID();
    await append(client, other, { events: [lit(stream, 1)] });
    expect(await positionsOf(owner, practice)).toEqual([1, 2]);
    expect(await positionsOf(owner, other)).toEqual([1]);
  });
});

describe('the role that serves requests', () => {
  const practice = randomUUID();
  const foreign = randomUUID();

  async function acting(therapistId?: string): Promise<pg.Client> {
    const client = await connected();
    if (therapistId !== undefined)
      await client.query(`SELECT set_config('app.therapist_id', $1, false)`, [therapistId]);
    return client;
  }

  beforeAll(async () => {
    const client = await connected();
    for (const owner of [practice, foreign]) await append(client, owner, { events: [lit(randomUUID(), 1)] });
  });

  it.each([
    `UPDATE events SET type = 'Other'`,
    `UPDATE events SET position = position + 1 WHERE false`,
    'DELETE FROM events',
    'TRUNCATE events',
    'DROP TABLE events',
    'ALTER TABLE events DISABLE ROW LEVEL SECURITY',
    'SELECT FROM outbox',
    'DELETE FROM outbox',
    'UPDATE outbox SET position = 0',
    'DELETE FROM practice_head',
    'TRUNCATE practice_head CASCADE',
    'CREATE TABLE mine (id integer)',
  ])('may not %s', async (statement) => {
    const client = await acting(practice);
    await client.query(`SET search_path = ${log.service}`);
    await expect(client.query(statement)).rejects.toMatchObject({ code: '42501' });
  });

  it.each(['events', 'practice_head'])('sees no %s of another practice', async (table) => {
    const { rows } = await (
      await acting(practice)
    ).query(`SELECT therapist_id AS owner FROM ${log.service}.${table}`);
    expect(rows).toEqual([{ owner: practice }]);
  });

  it('sees nothing if no practice is set', async () => {
    const { rows } = await (await acting()).query(`SELECT FROM ${log.service}.events`);
    expect(rows).toEqual([]);
  });

  it.each([
    `INSERT INTO practice_head VALUES ('${randomUUID()}', 0)`,
    `INSERT INTO events SELECT '${foreign}', 9, aggregate, stream_id, 9, type, 1, data, metadata, now() FROM events`,
    `INSERT INTO outbox (therapist_id, position) VALUES ('${foreign}', 1)`,
    `UPDATE practice_head SET therapist_id = '${randomUUID()}'`,
  ])('cannot write for another practice: %s', async (statement) => {
    const client = await acting(practice);
    await client.query(`SET search_path = ${log.service}`);
    await expect(client.query(statement)).rejects.toMatchObject({ code: '42501' });
  });
});

describe('the role of the relay', () => {
  it('reads the events of all practices and deletes from the outbox', async () => {
    const client = await connected(log.url('relay'));
    await client.query(`SET search_path = ${log.service}`);
    const { rows } = await client.query('SELECT DISTINCT therapist_id FROM events');
    expect(rows.length).toBeGreaterThan(1);
    const { rowCount } = await client.query('DELETE FROM outbox');
    expect(rowCount).toBeGreaterThan(1);
  });

  it.each([
    'DELETE FROM events',
    `UPDATE events SET type = 'Other'`,
    'INSERT INTO events SELECT * FROM events',
    'INSERT INTO outbox (therapist_id, position) SELECT therapist_id, position FROM events',
    'UPDATE outbox SET position = 0',
    'TRUNCATE outbox',
    'UPDATE practice_head SET position = 0',
  ])('may not %s', async (statement) => {
    const client = await connected(log.url('relay'));
    await client.query(`SET search_path = ${log.service}`);
    await expect(client.query(statement)).rejects.toMatchObject({ code: '42501' });
  });
});
