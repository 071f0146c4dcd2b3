// Sums by hour, day, week, month, quarter and year, compared with `date_trunc` on the tables.

import { beforeAll, describe, expect, it } from '@jest/globals';
import { adminDatabase, make, makeAll, newPractice, slot, type Practice } from '@practice/testing';
import type { SupabaseClient } from '@supabase/supabase-js';
import fc from 'fast-check';
import { clientOf } from './practice.js';

const admin = adminDatabase();
const DAYS = 1_100;
const ZONES = ['UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'America/Sao_Paulo'] as const;

let practice: Practice;
let supabase: SupabaseClient;

const ANN = '11111111-0000-4000-8000-000000000000';
const dayAt = (index: number): string =>
  new Date(Date.parse('2026-12-25') + index * 86_400_000).toISOString().slice(0, 10);

beforeAll(async () => {
  practice = await newPractice();
  supabase = clientOf(practice);
  await make(practice, 'clients', { id: ANN, name: 'Ann', created_at: '2018-11-04T03:30:00Z' });
  const expenses = Array.from({ length: DAYS }, (_, index) => ({
    date: dayAt(index),
    amount: (index % 7) + 0.25,
    category: index % 2 === 0 ? 'rent' : 'books',
  }));
  for (let from = 0; from < DAYS; from += 500)
    await makeAll(practice, 'expenses', expenses.slice(from, from + 500));
  // Times around changes to or from daylight saving time, a few minutes before and after full hours.
  const instants = [
    '2018-11-03T20:00:00Z',
    '2026-03-28T22:10:00Z',
    '2026-10-24T22:50:00Z',
    '2027-04-03T13:40:00Z',
  ];
  const booked = instants.flatMap((start, run) =>
    Array.from({ length: 40 }, (_, index) => ({
      ...slot(run * 40 + index),
      client_id: index % 3 === 0 ? null : ANN,
      price: index,
      allow_overlap: true,
      created_at: new Date(Date.parse(start) + index * 17 * 60_000).toISOString(),
    })),
  );
  await makeAll(practice, 'appointments', booked);
});

interface Group {
  readonly at: string;
  readonly sum: number;
}

/** The same groups from plain SQL, in a session with this time zone. */
async function bySql(sql: string, zone: string): Promise<readonly Group[]> {
  await admin.query(`SET TIME ZONE '${zone}'`);
  const { rows } = await admin.query<{ groups: readonly Group[] }>(
    `SELECT coalesce(json_agg(r), '[]') AS groups FROM (${sql}) AS r`,
    [practice.therapistId],
  );
  return rows[0]?.groups ?? [];
}

const inZone = <T extends { setHeader(name: string, value: string): T }>(query: T, zone: string): T =>
  query.setHeader('Prefer', `timezone=${zone}`);

describe('groups of time', () => {
  it('equal the sums of plain SQL, for dates and more than 1,000 days', async () => {
    const units = fc.constantFrom('day', 'week', 'month', 'quarter', 'year');
    await fc.assert(
      fc.asyncProperty(units, fc.constantFrom(...ZONES), fc.boolean(), async (unit, zone, isDescending) => {
        const query = supabase.from('expenses').select(`at:date.${unit}(),amount.sum()` as '*');
        const ordered = query.order('at', { ascending: !isDescending }).limit(400);
        const { data, error } = await inZone(ordered, zone);
        expect(error).toBeNull();
        const plain = await bySql(
          `SELECT date_trunc('${unit}', date::timestamp)::date AS at, sum(amount) AS sum
             FROM finance.expenses WHERE therapist_id = $1 GROUP BY 1 ORDER BY 1 ${isDescending ? 'DESC' : ''} LIMIT 400`,
          zone,
        );
        expect(data).toEqual(plain);
      }),
      { numRuns: 20 },
    );
  });

  it('equal the sums of plain SQL, for instants in the preferred zone', async () => {
    const units = fc.constantFrom('hour', 'day', 'week', 'month', 'quarter', 'year');
    await fc.assert(
      fc.asyncProperty(units, fc.constantFrom(...ZONES), async (unit, zone) => {
        const query = supabase.from('appointments').select(`at:created_at.${unit}(),sum:price.sum()` as '*');
        const { data, error } = await inZone(query.order('at'), zone);
        expect(error).toBeNull();
        const period =
          unit === 'hour'
            ? `date_trunc('hour', created_at)`
            : `date_trunc('${unit}', created_at AT TIME ZONE '${zone}')::date`;
        const plain = await bySql(
          `SELECT ${period} AS at, sum(price) AS sum FROM scheduling.appointments WHERE therapist_id = $1 GROUP BY 1 ORDER BY 1`,
          zone,
        );
        expect(data).toEqual(plain);
      }),
      { numRuns: 20 },
    );
  });

  it('are named by their first day, with weeks from Monday and hours as instants', async () => {
    const of = async (unit: string) =>
      (
        await supabase
          .from('expenses')
          .select(`date.${unit}(),count()` as '*')
          .order(unit)
          .limit(2)
      ).data;
    expect(await of('week')).toEqual([
      { week: '2026-12-21', count: 3 },
      { week: '2026-12-28', count: 7 },
    ]);
    expect(await of('quarter')).toEqual([
      { quarter: '2026-10-01', count: 7 },
      { quarter: '2027-01-01', count: 90 },
    ]);
    const { data } = await inZone(
      supabase
        .from('appointments')
        .select('created_at.hour(),count()' as '*')
        .order('hour')
        .limit(1),
      'Asia/Kathmandu',
    );
    expect(data).toEqual([{ hour: '2018-11-04T01:00:00+05:45', count: 1 }]);
  });

  it('can be combined with other columns, and with columns of related records in another service', async () => {
    const { data } = await supabase
      .from('expenses')
      .select('category,year:date.year(),amount.sum()' as '*')
      .gte('date', '2027-01-01')
      .lt('date', '2028-01-01')
      .order('category');
    expect(data).toEqual([
      { category: 'books', year: '2027-01-01', sum: expect.any(Number) },
      { category: 'rent', year: '2027-01-01', sum: expect.any(Number) },
    ]);
    const related = supabase
      .from('appointments')
      .select('...clients(joined:created_at.day()),count()' as '*')
      .order('clients(joined)' as 'joined', { nullsFirst: true });
    expect((await inZone(related, 'America/Sao_Paulo')).data).toEqual([
      { joined: null, count: 56 },
      { joined: '2018-11-04', count: 104 },
    ]);
    const shown = supabase
      .from('appointments')
      .select('id,clients(joined:created_at.month())' as '*')
      .eq('client_id', ANN);
    expect((await shown.limit(1)).data).toMatchObject([{ clients: { joined: '2018-11-01' } }]);
  });

  it('can count the records of a past state, and the events of a history', async () => {
    const past = await practice.rest(`expenses?select=date.year(),count()&as_of=${new Date().toISOString()}`);
    expect(past.json).toHaveLength(4);
    const history = await practice.rest('expenses_history?select=at.year(),count()');
    expect(history.json).toEqual([{ year: `${new Date().getUTCFullYear()}-01-01`, count: DAYS }]);
  });

  it.each([
    ['expenses?select=date.hour()', '42804', 'column "date" is of type date: it has no hour()'],
    ['expenses?select=category.month()', '42804', 'column "category" is of type text: it has no month()'],
    ['expenses?select=dat.month()', '42703', 'column expenses.dat does not exist'],
    ['expenses?select=date.decade()', 'PGRST100', expect.stringContaining('(date.decade())')],
  ])('%s is 400', async (query, code, message) => {
    const { status, json } = await practice.rest(query);
    expect({ status, ...(json as object) }).toMatchObject({ status: 400, code, message });
  });
});
