import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { allSteps } from '@practice/core';
import { scratchService, systemMetadata, type ScratchService } from '@practice/testing';
import type { Client } from 'pg';
import { appendAll, openPractice } from './append.js';
import type { NewEvent } from './new-event.js';
import { coveredColumns } from './chain.js';
import { checkedRanges, checkRanges, loggedPractices, rangesOf, type CheckedRange } from './check-log.js';
import { logRoot } from './log-root.js';
import { sharedTables } from './migrations.js';
import type { Statement } from './statement.js';

let log: ScratchService;
let admin: Client;
let practice: string;

const ask = ({ text, values }: Statement) =>
  admin.query<(string | null)[]>({ text, values: values as unknown[], rowMode: 'array' });

const lit = (index: number, recordedAt = '2026-05-01T08:00:00.123456+00:00'): NewEvent => ({
  type: 'LampInstalled',
  lifecycle: { created: ['LampInstalled'], deleted: [] },
  data: { brightness: index, 'ключ "x"': ['ü', 1.5, null], long: 1e21 },
  aggregate: 'lamp',
  streamId: randomUUID(),
  version: 1,
  schemaVersion: 1,
  metadata: systemMetadata(),
  previous: index % 2 === 0 ? null : { brightness: 0 },
  recordedAt,
});

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

/** Appends the given number of events to each practice, in one statement. */
async function append(
  counts: readonly (readonly [practice: string, count: number])[],
  recordedAt?: string,
): Promise<void> {
  for (const [id] of counts) await ask(openPractice(log.service, id));
  const heads = new Map((await ask(loggedPractices(log.service))).rows.map(([id, at]) => [id, Number(at)]));
  await ask(
    allSteps(
      appendAll(
        log.service,
        counts.map(([therapistId, count]) => ({
          therapistId,
          position: heads.get(therapistId) ?? 0,
          events: upTo(count).map((index) => lit(index, recordedAt)),
        })),
      ),
    ),
  );
}

/** Checks the whole log of the practice in ranges of this size. */
async function check(size = 1000): Promise<CheckedRange[]> {
  const practices = (await ask(loggedPractices(log.service))).rows
    .filter(([id]) => id === practice)
    .map(([id, position]) => ({ therapistId: String(id), position: Number(position) }));
  return checkedRanges((await ask(checkRanges(log.service, rangesOf(practices, size)))).rows);
}

const firstBroken = async (size?: number): Promise<number | null> => {
  const places = (await check(size)).flatMap(({ firstBroken: place }) => (place === null ? [] : [place]));
  return places.length === 0 ? null : Math.min(...places);
};

beforeAll(async () => {
  log = await scratchService(sharedTables);
  admin = await log.connect();
});

afterAll(() => log.drop());

beforeEach(async () => {
  practice = randomUUID();
  await append([[practice, 1]]);
  await append([[practice, 6]]);
  await append([[practice, 1]]);
});

describe('the chain of a log', () => {
  it('is the same for events appended one by one, several at once, and beside other practices', async () => {
    const others = [randomUUID(), randomUUID()];
    await append([
      [practice, 3],
      [others[0] as string, 1],
      [others[1] as string, 2],
    ]);
    await append(others.map((id) => [id, 1]));
    for (const size of [1, 3, 1000]) expect(await firstBroken(size)).toBeNull();
    expect((await check()).map(({ events, position }) => [events, position])).toEqual([[11, 11]]);
    expect((await check(4)).map(({ events }) => events)).toEqual([4, 4, 3]);
    for (practice of others) expect(await firstBroken()).toBeNull();
  });

  it('does not depend on the settings of a session', async () => {
    await admin.query(`SET timezone = 'Asia/Kathmandu'; SET datestyle = 'German'; SET extra_float_digits = -15;
      SET bytea_output = 'escape'; SET intervalstyle = 'sql_standard'; SET search_path = pg_temp`);
    expect(await firstBroken()).toBeNull();
    await append([[practice, 1]]);
    await admin.query('RESET ALL');
    expect(await firstBroken()).toBeNull();
  });

  it('covers every column of an event', async () => {
    const { rows } = await admin.query<{ name: string }>(
      `SELECT column_name AS name FROM information_schema.columns WHERE table_schema = $1 AND table_name = 'events'`,
      [log.service],
    );
    expect(rows.map(({ name }) => name).sort()).toEqual([...coveredColumns, 'hash'].sort());
  });

  it('still verifies when a later migration adds a column', async () => {
    await admin.query(`ALTER TABLE ${log.service}.events ADD COLUMN later text`);
    expect(await firstBroken()).toBeNull();
    await append([[practice, 2]]);
    expect(await firstBroken()).toBeNull();
    await admin.query(`ALTER TABLE ${log.service}.events DROP COLUMN later`);
  });
});

const where = (position: number): string => `WHERE therapist_id = '${practice}' AND position = ${position}`;

/** Damage by an administrator of the database, and the position at which it is found. */
const damages: Record<string, { place: number; sql: () => string }> = {
  'a changed value': {
    place: 4,
    sql: () => `UPDATE @events SET data = jsonb_set(data, '{brightness}', '99') ${where(4)}`,
  },
  'another author': {
    place: 1,
    sql: () => `UPDATE @events SET metadata = metadata || '{"requestId":"x"}' ${where(1)}`,
  },
  'a time one microsecond later': {
    place: 8,
    sql: () => `UPDATE @events SET recorded_at = recorded_at + interval '1 microsecond' ${where(8)}`,
  },
  'one bit of a hash': {
    place: 5,
    sql: () => `UPDATE @events SET hash = set_bit(hash, 7, 1 - get_bit(hash, 7)) ${where(5)}`,
  },
  'a changed event with a hash that fits it': {
    place: 4,
    sql: () => `UPDATE @events SET data = '{}', hash = sha256('other') ${where(3)}; ${rehash(3)}`,
  },
  'a deleted event': { place: 3, sql: () => `DELETE FROM @events ${where(3)}` },
  'a deleted first event': { place: 1, sql: () => `DELETE FROM @events ${where(1)}` },
  'a deleted event whose place was closed': {
    place: 3,
    sql: () =>
      `DELETE FROM @events ${where(3)}; ${upTo(5)
        .map((step) => `UPDATE @events SET position = position - 1 ${where(step + 3)}`)
        .join('; ')}; UPDATE @practice_head SET position = 7 WHERE therapist_id = '${practice}'`,
  },
  'an inserted event': {
    place: 4,
    sql: () =>
      `${[8, 7, 6, 5, 4].map((step) => `UPDATE @events SET position = position + 1 ${where(step)}`).join('; ')}; INSERT INTO @events SELECT therapist_id, 4, aggregate, gen_random_uuid(), version, type, schema_version, data, metadata, recorded_at, previous, hash FROM @events ${where(3)}; UPDATE @practice_head SET position = 9 WHERE therapist_id = '${practice}'`,
  },
  'an event added at the end': {
    place: 9,
    sql: () =>
      `INSERT INTO @events SELECT therapist_id, 9, aggregate, gen_random_uuid(), version, type, schema_version, data, metadata, recorded_at, previous, hash FROM @events ${where(8)}`,
  },
  'two swapped events': {
    place: 2,
    sql: () =>
      `UPDATE @events SET position = -1 ${where(2)}; UPDATE @events SET position = 2 ${where(6)}; UPDATE @events SET position = 6 ${where(-1)}`,
  },
  'the missing end': {
    place: 7,
    sql: () => `DELETE FROM @events WHERE therapist_id = '${practice}' AND position > 6`,
  },
  'a missing end that the head does not remember': {
    place: 6,
    sql: () =>
      `DELETE FROM @events WHERE therapist_id = '${practice}' AND position > 6; UPDATE @practice_head SET position = 6 WHERE therapist_id = '${practice}'`,
  },
  'a changed hash of the head': {
    place: 8,
    sql: () => `UPDATE @practice_head SET hash = sha256(hash) WHERE therapist_id = '${practice}'`,
  },
  'a head that went back': {
    place: 6,
    sql: () => `UPDATE @practice_head SET position = 5 WHERE therapist_id = '${practice}'`,
  },
  'a missing head': { place: 1, sql: () => `DELETE FROM @practice_head WHERE therapist_id = '${practice}'` },
  'the log of another practice': {
    place: 1,
    sql: () => `UPDATE @events SET therapist_id = gen_random_uuid() WHERE therapist_id = '${practice}'`,
  },
};

/** Gives an event the hash that follows from its row, as an administrator could. */
const rehash = (
  position: number,
): string => `UPDATE @events AS e SET hash = sha256(before.hash || record_send(ROW(${coveredColumns.map((name) => `e.${name}`).join()})))
  FROM @events AS before WHERE before.therapist_id = e.therapist_id AND before.position = e.position - 1 AND e.therapist_id = '${practice}' AND e.position = ${position}`;

describe('a superuser of the database cannot hide', () => {
  it.each(Object.keys(damages))('%s', async (name) => {
    const damage = damages[name] as (typeof damages)[string];
    await admin.query(damage.sql().replaceAll('@', `${log.service}.`));
    for (const size of [1, 2, 3, 1000]) expect([size, await firstBroken(size)]).toEqual([size, damage.place]);
  });
});

describe('the root of a log', () => {
  const until = '2026-05-02T00:00:00+00:00';
  const root = (at = until) => logRoot(log.service, at, async (statement) => (await ask(statement)).rows);

  it('covers the events of all practices before an instant, and not later ones', async () => {
    const before = await root();
    expect(before).toEqual({ practices: expect.any(Number), root: expect.stringMatching(/^[0-9a-f]{64}$/) });
    await append([[practice, 1]], '2026-05-02T00:00:00+00:00');
    expect(await root()).toEqual(before);
    expect(await root('2026-05-02T00:00:01+00:00')).not.toEqual(before);
    expect((await root('2026-04-01T00:00:00+00:00')).practices).toBe(0);
  });

  it('differs when a log was rewritten with hashes that fit', async () => {
    const before = await root();
    await admin.query(`UPDATE ${log.service}.events SET data = '{}' ${where(3)}`);
    for (const position of upTo(6))
      await admin.query(rehash(position + 2).replaceAll('@', `${log.service}.`));
    await admin.query(
      `UPDATE ${log.service}.practice_head AS head SET hash = e.hash FROM ${log.service}.events AS e
       WHERE e.therapist_id = head.therapist_id AND e.position = head.position AND head.therapist_id = $1`,
      [practice],
    );
    expect(await firstBroken()).toBeNull();
    expect((await root()).root).not.toBe(before.root);
  });

  it('is computed in parts', async () => {
    const few = await root();
    await admin.query(
      `INSERT INTO ${log.service}.practice_head (therapist_id, position) SELECT gen_random_uuid(), 0 FROM generate_series(1, 2500)`,
    );
    // Practices without an event before the instant move no borders of parts.
    expect(await root()).toEqual(few);
    await append([[randomUUID(), 1]]);
    expect((await root()).practices).toBe(few.practices + 1);
  });
});
