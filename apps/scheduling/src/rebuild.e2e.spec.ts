// The read tables equal the fold of the log after any requests, and can be rebuilt from it at any time.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { resourcesOf } from '@practice/contracts';
import { rebuild, type RebuildReport } from '@practice/recovery';
import { eventually, newPractice, stack, write, type Answer, type Practice } from '@practice/testing';
import fc from 'fast-check';
import pg from 'pg';

type Request = readonly [path: string, method: string, body?: object];

let owner: pg.Client;

beforeAll(async () => {
  owner = new pg.Client({ connectionString: stack().databaseUrl('scheduling_owner') });
  await owner.connect();
});

afterAll(() => owner.end());

/** Waits for its turn: another spec blocks rebuilds while it has rows without events. */
const rebuildTables = (check: boolean): Promise<RebuildReport> =>
  eventually('no other rebuild runs', () =>
    rebuild({
      service: 'scheduling',
      url: stack().databaseUrl('scheduling_owner'),
      resources: resourcesOf('scheduling'),
      check,
    }).catch((error: Error) => {
      if (error.message.startsWith('another rebuild')) return null;
      throw error;
    }),
  ) as Promise<RebuildReport>;

async function differencesOf({ therapistId }: Practice): Promise<RebuildReport['differences']> {
  const { differences } = await rebuildTables(true);
  return differences.filter((difference) => difference.therapistId === therapistId);
}

async function expectGapFreeLog({ therapistId }: Practice): Promise<number> {
  const { rows } = await owner.query<{ position: string; version: number; expected: string; head: string }>(
    `SELECT e.position, e.version, h.position AS head, row_number() OVER (PARTITION BY aggregate, stream_id ORDER BY e.position) AS expected
     FROM events e JOIN practice_head h USING (therapist_id) WHERE therapist_id = $1 ORDER BY e.position`,
    [therapistId],
  );
  expect(rows.map(({ position }) => Number(position))).toEqual(rows.map((_, index) => index + 1));
  expect(rows.map(({ version }) => version)).toEqual(rows.map(({ expected }) => Number(expected)));
  expect(Number(rows.at(-1)?.head ?? 0)).toBe(rows.length);
  return rows.length;
}

const send = (practice: Practice, [path, method, body]: Request): Promise<Answer> =>
  write(practice, path, { method, ...(body && { body }) });

const ids = [...Array(5).keys()].map(() => randomUUID());
const services = [...Array(2).keys()].map(() => randomUUID());
const one = <T>(...values: T[]) => fc.constantFrom(...values);
const statuses = one('scheduled', 'confirmed', 'completed', 'cancelled', 'no_show');
const start = one('08:00', '09:00', '09:30', '10:00');
const notes = one('', 'bring the report', 'Zoe\u0308 "quoted" \\ \n 😀', null);

const booking = fc.record(
  {
    id: one(...ids),
    date: one('2031-05-05', '2031-05-06'),
    start_time: start,
    end_time: one('10:30', '11:00'),
    status: statuses,
    service_id: one(...services, null),
    notes,
    allow_overlap: fc.boolean(),
    created_at: one('2020-01-01', '2020-02-29T12:30:00.123456+02:00'),
  },
  { requiredKeys: ['date', 'start_time', 'end_time'] },
);
const changes = fc.record(
  {
    date: one('2031-05-05', '2031-05-07'),
    start_time: start,
    status: statuses,
    notes,
    allow_overlap: fc.boolean(),
  },
  { requiredKeys: [] },
);
const entry = fc.record(
  {
    id: one(...services),
    name: one('Massage', 'Yoga'),
    duration: one(30, 60),
    price: one<number | string>(0, 19.99, '120'),
    capacity: one(1, 3),
  },
  { requiredKeys: ['id', 'name', 'duration', 'price'] },
);
const hours = fc.record({
  day_of_week: one('Monday', 'tuesday'),
  open_time: start,
  close_time: one('10:30', '12:00'),
});

const bulkKeys = ['date', 'start_time', 'end_time', 'status', 'notes'] as const;
const bulk = fc
  .array(booking, { minLength: 2, maxLength: 4 })
  .map((bodies) =>
    bodies.map((body) =>
      Object.fromEntries(bulkKeys.map((key) => [key, body[key] ?? (key === 'status' ? 'completed' : null)])),
    ),
  );

const of = (...request: Request): Request => request;

/** Any request. Many are refused, and a refused request must leave nothing behind. */
const request: fc.Arbitrary<Request> = fc.oneof(
  booking.map((body) => of('appointments', 'POST', body)),
  bulk.map((bodies) => of('appointments', 'POST', bodies)),
  fc.tuple(one(...ids), changes).map(([id, body]) => of(`appointments?id=eq.${id}`, 'PATCH', body)),
  changes.map((body) => of('appointments?status=in.(scheduled,completed)', 'PATCH', body)),
  one(...ids).map((id) => of(`appointments?id=eq.${id}`, 'DELETE')),
  entry.map((body) => of('service_menu', 'POST', body)),
  fc
    .tuple(one(...services), one<object>({ price: 5 }, { capacity: 2 }))
    .map(([id, body]) => of(`service_menu?id=eq.${id}`, 'PATCH', body)),
  one(...services).map((id) => of(`service_menu?id=eq.${id}`, 'DELETE')),
  hours.map((body) => of('business_hours', 'POST', body)),
  one('monday', 'tuesday').map((day) => of(`business_hours?day_of_week=eq.${day}`, 'DELETE')),
);

describe('any sequence of requests', () => {
  it('leaves read tables equal to the fold of the log, without a gap', async () => {
    const tried = { requests: 0, kept: 0, events: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 40, maxLength: 60 }), async (requests) => {
        const practice = await newPractice();
        for (const id of services) {
          await send(practice, [
            'service_menu',
            'POST',
            { id, name: 'Group', duration: 60, price: 10, capacity: 2 },
          ]);
        }
        for (const asked of requests) {
          const { status } = await send(practice, asked);
          expect(status).toBeLessThan(500);
          tried.requests += 1;
          tried.kept += status < 300 ? 1 : 0;
        }
        tried.events += await expectGapFreeLog(practice);
        expect(await differencesOf(practice)).toEqual([]);
      }),
      { numRuns: 4, seed: 20310505, endOnFailure: true },
    );
    // The runs are meaningful: a large part of the requests was executed.
    expect(tried.kept).toBeGreaterThan(tried.requests / 4);
    expect(tried.events).toBeGreaterThan(100);
  });
});

const booked = (hour: number) => ({
  date: '2031-06-01',
  start_time: `${String(hour).padStart(2, '0')}:00`,
  end_time: `${String(hour).padStart(2, '0')}:45`,
});

describe('a rebuild', () => {
  it('reports rows that differ from the log, and corrects them', async () => {
    const practice = await newPractice();
    const [changed, missing, invented] = [randomUUID(), randomUUID(), randomUUID()];
    await send(practice, [
      'appointments',
      'POST',
      [
        { id: changed, ...booked(8) },
        { id: missing, ...booked(9) },
      ],
    ]);
    const before = (await practice.rest('appointments?order=id')).text;
    const mine = [practice.therapistId];
    await owner.query(
      `UPDATE appointments SET notes = 'forged', _json = '{}' WHERE therapist_id = $1 AND id = $2`,
      [...mine, changed],
    );
    await owner.query('DELETE FROM appointments WHERE therapist_id = $1 AND id = $2', [...mine, missing]);
    await owner.query(`INSERT INTO service_menu VALUES ($1, $2, 'Forged', 10, 1, 1, now(), now(), 1, '{}')`, [
      ...mine,
      invented,
    ]);
    const found = await differencesOf(practice);
    expect(new Set(found)).toEqual(
      new Set(
        [
          { resource: 'appointments', id: changed, kind: 'differs', columns: ['_json', 'notes'] },
          { resource: 'appointments', id: missing, kind: 'missing', columns: [] },
          { resource: 'service_menu', id: invented, kind: 'not in the log', columns: [] },
        ].map((difference) => ({ ...difference, therapistId: practice.therapistId })),
      ),
    );
    const mended = await rebuildTables(false);
    expect(mended.differences.filter(({ therapistId }) => therapistId === practice.therapistId)).toEqual(
      found,
    );
    expect(await differencesOf(practice)).toEqual([]);
    expect((await practice.rest('appointments?order=id')).text).toBe(before);
    expect((await practice.rest('service_menu')).text).toBe('[]');
  });

  it('fails no reader and loses no write', async () => {
    const practices = await Promise.all([newPractice(), newPractice()]);
    let going = true;
    let booked = 0;
    const failed: Answer[] = [];
    /** A write may get 503 while the tables are swapped. It is repeated under its key, so it is executed once. */
    const book = async (practice: Practice, body: object): Promise<void> => {
      const answer = await send(practice, ['appointments', 'POST', body]);
      if (answer.status !== 201) failed.push(answer);
    };
    const traffic = practices.flatMap((practice, which) => [
      (async () => {
        while (going) {
          const answer = await practice.rest('appointments?select=id,date,service_menu(name)');
          if (answer.status !== 200) failed.push(answer);
        }
      })(),
      (async () => {
        for (let day = 0; going; day += 1) {
          const date = new Date(Date.UTC(2032, 0, 1 + day)).toISOString().slice(0, 10);
          await book(practice, { id: randomUUID(), date, start_time: '09:00', end_time: '10:00' });
          if (which === 0) booked += 1;
        }
      })(),
    ]);
    for (let round = 0; round < 2; round += 1) await rebuildTables(false);
    going = false;
    await Promise.all(traffic);
    expect(failed).toEqual([]);
    const [practice] = practices;
    const { json } = await practice.rest('appointments?select=count');
    expect(json).toEqual([{ count: booked }]);
    expect(await expectGapFreeLog(practice)).toBe(booked);
    expect(await differencesOf(practice)).toEqual([]);
  });

  it('keeps the tables as defined, with their row-level security', async () => {
    await rebuildTables(false);
    const { rows } = await owner.query<{ name: string; secured: boolean; policies: string; rights: string }>(
      `SELECT relname AS name, relrowsecurity AS secured,
         (SELECT string_agg(polname, ',' ORDER BY polname) FROM pg_policy WHERE polrelid = c.oid) AS policies,
         (SELECT string_agg(privilege_type, ',' ORDER BY privilege_type) FROM aclexplode(relacl) WHERE grantee = 'scheduling'::regrole) AS rights
       FROM pg_class c WHERE oid = ANY ($1::regclass[]) ORDER BY 1`,
      [resourcesOf('scheduling').map(({ name }) => name)],
    );
    expect(rows).toEqual(
      resourcesOf('scheduling')
        .map(({ name }) => name)
        .sort()
        .map((name) => ({
          name,
          secured: true,
          policies: 'delete_own,insert_own,select_own,update_own',
          rights: 'DELETE,INSERT,SELECT,UPDATE',
        })),
    );
  });
});
