// Row-level security admits all practices of a group, so the statements separate them. This spec runs a group of two practices
// that have the same ids and keys, drops one comparison of practices from one statement at a time, and expects a different
// outcome.

import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { businessHours } from '@practice/contracts';
import { contentOf, type Statement } from '@practice/log';
import { scratchSchema, type ScratchSchema } from '@practice/testing';
import type { Client } from 'pg';
import { Transaction, versionsTableOf } from '@practice/storage';
import { makeTables, startProcess, type Sent, type ServiceProcess } from '../../testing/write-fixture.js';
import { runGroup } from './run-group.js';

let scratch: ScratchSchema;
let owner: Client;
let running: ServiceProcess;

beforeAll(async () => {
  scratch = await scratchSchema('scheduling');
  await makeTables(scratch.url('scheduling_owner'));
  owner = await scratch.connect();
  running = startProcess(scratch.url('scheduling'), 'decided');
});

afterEach(() => {
  jest.restoreAllMocks();
});

afterAll(async () => {
  await running.close();
  await scratch.drop();
});

const hours = (opens: number): object => ({
  day_of_week: 'monday',
  open_time: `${String(opens).padStart(2, '0')}:00`,
  close_time: `${String(opens + 1).padStart(2, '0')}:00`,
});
const add = (opens: number, id: string = randomUUID(), key?: string): Sent => ({
  method: 'POST',
  body: { id, ...hours(opens) },
  ...(key === undefined ? {} : { repeatable: { key, hash: 'h' } }),
});
const move = (id: string, opens: number): Sent => ({
  method: 'PATCH',
  query: `id=eq.${id}`,
  body: hours(opens),
});

/** Passes every statement of a write transaction through `change`. */
function through(change: (text: string) => string): void {
  const { begin, load, end } = Transaction.prototype;
  const changed = (statements: readonly Statement[]): Statement[] =>
    statements.map((statement) => ({ ...statement, text: change(statement.text) }));
  jest.spyOn(Transaction.prototype, 'begin').mockImplementation(function (this: Transaction, some, setup) {
    return begin.call(this, changed(some), setup);
  });
  jest.spyOn(Transaction.prototype, 'load').mockImplementation(function (this: Transaction, some) {
    return load.call(this, changed(some));
  });
  jest.spyOn(Transaction.prototype, 'end').mockImplementation(function (this: Transaction, some, how) {
    return end.call(this, changed(some), how);
  });
}

/** The answers of a group of two new practices and the rows that it leaves, without the values that differ between two runs. */
async function outcome(change: (text: string) => string): Promise<object> {
  const [one, other, moved, removed, added, key, old] = Array.from({ length: 7 }, () => randomUUID()) as [
    ...[string, string, string, string, string, string, string],
  ];
  // Each practice adds hours that the other one has, and one adds the id of a record that the other one has changed. Both logs have the same length,
  // so an event of one practice could be mistaken for an event of the other.
  for (const sent of [add(8, moved), add(9, removed), add(10, randomUUID(), key), add(11), add(20)])
    await running.write(one, sent);
  for (const sent of [
    add(12, moved),
    move(moved, 13),
    add(14, removed),
    add(21, added, old),
    move(added, 15),
  ])
    await running.write(other, sent);
  await owner.query(
    `UPDATE scheduling.idempotency SET answered_at = now() - interval '2 days' WHERE therapist_id = $1`,
    [other],
  );
  through(change);
  const verdicts = await runGroup(
    running.database,
    [
      ...[move(moved, 16), { method: 'DELETE', query: `id=eq.${removed}` } as const].map((sent) =>
        running.memberOf(one, sent),
      ),
      ...[add(15, added), add(18, randomUUID(), old)].map((sent) => running.memberOf(one, sent)),
      ...[move(moved, 16), add(17, randomUUID(), key), add(11), add(19)].map((sent) =>
        running.memberOf(other, sent),
      ),
    ],
    'skip',
  );
  jest.restoreAllMocks();
  return {
    answers: verdicts.map((verdict) =>
      verdict.kind === 'value' ? (verdict.value as { value: { status: number } }).value.status : verdict.kind,
    ),
    stored: [await storedFor(one), await storedFor(other)],
  };
}

async function storedFor(practice: string): Promise<object[]> {
  const queries = [
    `SELECT open_time, version FROM scheduling.business_hours WHERE therapist_id = $1 ORDER BY 1`,
    `SELECT open_time, version FROM ${versionsTableOf(businessHours)} WHERE therapist_id = $1 ORDER BY 1, 2`,
    `SELECT count(*) FROM scheduling.idempotency WHERE therapist_id = $1`,
    `SELECT e.position, type, version, data->>'open_time' AS opens,
       e.hash = sha256(coalesce(lag(e.hash) OVER (ORDER BY e.position), '') || ${contentOf('e')}) AS follows
     FROM scheduling.events AS e WHERE therapist_id = $1 ORDER BY 1`,
    `SELECT h.position, h.hash = e.hash AS is_last FROM scheduling.practice_head AS h
     LEFT JOIN scheduling.events AS e USING (therapist_id, position) WHERE therapist_id = $1`,
  ];
  const results: object[] = [];
  for (const query of queries) results.push((await owner.query<object>(query, [practice])).rows);
  return results;
}

/** Comparisons of practices, each with the replacement that drops it. */
const comparisons: readonly (readonly [RegExp, (found: string) => string])[] = [
  [/[\w.]*\btherapist_id = [\w.$]+/g, (found) => `(${found} OR true)`],
  [/\(therapist_id, key\) IN \(SELECT \* FROM unnest\([^)]*\)\)/g, (found) => `(${found} OR true)`],
  [/USING \(therapist_id, position\)/g, () => 'USING (position)'],
  [/PARTITION BY [\w.]+therapist_id /g, () => ''],
];

const mutantsOf = (text: string): string[] =>
  comparisons.flatMap(([pattern, drop]) =>
    [...text.matchAll(pattern)].map(
      ({ index, 0: found }) => text.slice(0, index) + drop(found) + text.slice(index + found.length),
    ),
  );

/** The places where a statement reads, changes or removes stored rows. */
const readsOf = (text: string): number => [...text.matchAll(/\b(FROM|JOIN|UPDATE) "?scheduling"?\./g)].length;

describe('the statements of a group', () => {
  it('separate its practices: if any one of their comparisons is missing, the outcome is wrong', async () => {
    const texts = new Set<string>();
    const expected = await outcome((text) => {
      texts.add(text);
      return text;
    });
    expect(expected).toMatchObject({ answers: [204, 204, 201, 201, 204, 201, 201, 201] });
    const uncompared = [...texts].filter((text) => mutantsOf(text).length < readsOf(text));
    expect(uncompared).toEqual([]);

    const survivors: string[] = [];
    let dropped = 0;
    for (const text of texts)
      for (const mutant of mutantsOf(text)) {
        dropped += 1;
        const actual = await outcome((sent) => (sent === text ? mutant : sent));
        if (JSON.stringify(actual) === JSON.stringify(expected)) survivors.push(mutant);
      }
    expect(survivors).toEqual([]);
    expect(dropped).toBeGreaterThanOrEqual(10);
  });
});
