// Pages by cursor, with any order, during writes: together they contain the rows of the moment of the first page.

import { beforeAll, describe, expect, it } from '@jest/globals';
import { pagesOf } from '@practice/client-types';
import { catalog } from '@practice/contracts';
import {
  answered,
  newPractice,
  rowsOf,
  slot,
  type Answer,
  type Practice,
  patient,
  write,
} from '@practice/testing';
import type { SupabaseClient } from '@supabase/supabase-js';
import fc from 'fast-check';
import { clientOf } from './practice.js';

type Made = Readonly<Record<string, unknown>> & { readonly id: string };

let practice: Practice;
let supabase: SupabaseClient;
beforeAll(async () => {
  practice = await newPractice();
  supabase = clientOf(practice);
  await insert(Array.from({ length: 30 }, (_, index) => visit(index)));
});

/** A read, which is repeated if a busy machine is late. */
const read = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
  answered(path, () => practice.rest(path, { headers }));

const texts = ['b', 'a', null, '', 'ä,"x"', 'B'];
const visit = (index: number): object => ({
  ...slot(index),
  date: ['2030-01-07', '2030-01-08', '2030-02-28'][index % 3],
  price: [10, null, 0.5, 99999.99][index % 4],
  notes: texts[index % texts.length],
  allow_overlap: true,
});

async function insert(rows: object[]): Promise<void> {
  const { error } = await patient(() => supabase.from('appointments').insert(rows));
  expect(error).toBeNull();
}

interface Term {
  readonly column: string;
  readonly ascending: boolean;
  readonly nullsFirst: boolean | undefined;
}

const terms: fc.Arbitrary<readonly Term[]> = fc.array(
  fc.record({
    column: fc.constantFrom(
      ...[
        'date',
        'start_time',
        'price',
        'notes',
        'status',
        'allow_overlap',
        'starts_at',
        'created_at',
        'version',
        'id',
      ],
    ),
    ascending: fc.boolean(),
    nullsFirst: fc.constantFrom(undefined, true, false),
  }),
  { maxLength: 3 },
);

interface Write {
  readonly kind: 'insert' | 'change' | 'delete' | 'return';
  readonly row: number;
  readonly value: number;
}

const writes: fc.Arbitrary<readonly Write[]> = fc.array(
  fc.record({
    kind: fc.constantFrom('insert', 'change', 'change', 'change', 'delete', 'return'),
    row: fc.nat(100),
    value: fc.nat(1_000),
  }),
  { maxLength: 3 },
);

/** The changes that deleted a record. */
const deletions: string[] = [];

async function removeOne(id: string): Promise<void> {
  const { headers } = await write(practice, `appointments?id=eq.${id}`, { method: 'DELETE' });
  const change = headers.get('change-id');
  if (change !== null) deletions.push(change);
}

/** Restores a deleted record. */
const bringBack = (change: string | undefined) =>
  write(practice, 'rpc/undo', { method: 'POST', body: { change_id: change } });

/** Carries out a write to a row that exists at the start of a walk, or to one that was deleted before. */
async function carryOut({ kind, row, value }: Write, rows: readonly Made[]): Promise<void> {
  const { id } = rows[row % rows.length] as Made;
  const { date, price, notes, start_time } = visit(value) as Record<string, unknown>;
  if (kind === 'insert') await insert([visit(value)]);
  else if (kind === 'delete') await removeOne(id);
  else if (kind === 'return') await bringBack(deletions[row % deletions.length] ?? 'scheduling:1');
  else {
    const changes = value % 2 === 0 ? { date, price, notes } : { start_time, end_time: '23:00', notes };
    const update = () => supabase.from('appointments').update(changes).eq('id', id);
    const { error } = await patient(update);
    expect(error).toBeNull();
  }
}

const ordered = (order: readonly Term[], select = '*') =>
  order.reduce(
    (query, { column, ascending, nullsFirst }) =>
      query.order(column, { ascending, ...(nullsFirst !== undefined && { nullsFirst }) }),
    supabase.from('appointments').select(select),
  );

describe('pages by cursor', () => {
  it('contain together the rows of the moment of the first page, even if there are writes between and during the pages', async () => {
    await fc.assert(
      fc.asyncProperty(
        terms,
        fc.integer({ min: 1, max: 9 }),
        fc.array(writes),
        async (order, limit, runs) => {
          const { data } = await ordered(order);
          const before = data as unknown as Made[];
          const walked: Made[] = [];
          const during = [...runs];
          let writing: Promise<unknown> = Promise.resolve();
          for await (const page of pagesOf<Made>(ordered(order).limit(limit) as never)) {
            expect(page.length).toBeGreaterThan(0);
            walked.push(...page);
            await writing;
            writing = Promise.all((during.shift() ?? []).map((write) => carryOut(write, before)));
          }
          await writing;
          expect(walked).toEqual(before);
          if (before.length < 20) await insert(Array.from({ length: 10 }, (_, index) => visit(index)));
        },
      ),
      { numRuns: 25 },
    );
  });

  it('have no record that was deleted before the first page and restored since', async () => {
    const [gone] = (await rowsOf(practice, 'appointments?limit=1&order=id')) as [Made];
    await removeOne(gone.id);
    const query = ordered([{ column: 'id', ascending: false, nullsFirst: undefined }], 'id');
    const { data } = await query;
    const walked: Made[] = [];
    for await (const page of pagesOf<Made>(query.limit(5) as never)) {
      if (walked.length === 0) expect((await bringBack(deletions.at(-1))).status).toBe(200);
      walked.push(...page);
    }
    expect(walked).toEqual(data);
    expect(await rowsOf(practice, `appointments?id=eq.${gone.id}`)).toHaveLength(1);
  });

  it('have the matches of a search at the moment of the first page', async () => {
    const names = ['Anna Muler', 'Berta Muller', 'Cleo Smith', 'Dora Muller', 'Eva Mueler'];
    const clients = supabase.from('clients');
    expect((await clients.insert(names.map((name) => ({ name })))).error).toBeNull();
    const query = clients.select('name', { count: 'exact' }).filter('name', 'sim', 'muler').order('name');
    const walked: unknown[] = [];
    for await (const page of pagesOf(query.limit(1) as never)) {
      if (walked.length === 0) {
        await clients.update({ name: 'Bo' }).eq('name', 'Berta Muller');
        await clients.update({ name: 'Cleo Muler' }).eq('name', 'Cleo Smith');
        await clients.delete().eq('name', 'Dora Muller');
      }
      walked.push(...page);
    }
    const matches = ['Anna Muler', 'Berta Muller', 'Dora Muller', 'Eva Mueler'];
    expect(walked).toEqual(matches.map((name) => ({ name })));
  });

  it('have a link to the next page, which needs no header, except on the last page', async () => {
    const first = await read('appointments?select=id&limit=10&order=date.desc', {
      prefer: 'pages=cursor, count=exact',
    });
    expect(first.headers.get('preference-applied')).toBe('count=exact, pages=cursor');
    const total = Number(first.headers.get('content-range')?.split('/')[1]);
    expect(first.headers.get('content-range')).toBe(`0-9/${total}`);
    let link = first.headers.get('link');
    let seen = 10;
    while (link !== null) {
      const query = /^<(\?after=[\w-]+&limit=10&order=date\.desc&select=id)>; rel="next"$/.exec(link)?.[1];
      const next = await read(`appointments${query}`, { prefer: 'count=exact' });
      const rows = next.json as object[];
      expect(next.headers.get('content-range')).toBe(`${seen}-${seen + rows.length - 1}/${total}`);
      seen += rows.length;
      link = next.headers.get('link');
    }
    expect(seen).toBe(total);
  });

  it('begin at an offset, or with an empty `after`, and work for HEAD, CSV and embedded records of other services', async () => {
    const all = await rowsOf(practice, 'appointments?select=id');
    const first = await read('appointments?select=id,clients(name)&limit=5&offset=3&after=');
    expect(first.json).toEqual(all.slice(3, 8).map(({ id }) => ({ id, clients: null })));
    const next = /<(.*)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    expect(next).not.toContain('offset');
    expect(await rowsOf(practice, `appointments${next}`)).toEqual(
      all.slice(8, 13).map(({ id }) => ({ id, clients: null })),
    );
    const csv = await read(`appointments${next}`, { accept: 'text/csv' });
    expect(csv.text.split('\n')).toHaveLength(6);
    const head = await practice.rest(`appointments${next}`, { method: 'HEAD' });
    expect([head.status, head.text, head.headers.get('link')]).toEqual([
      200,
      '',
      expect.stringContaining('after='),
    ]);
    const none = await read('appointments?limit=0&after=');
    expect([none.json, none.headers.get('link')]).toEqual([[], null]);
  });

  it('walk histories, past states and rows that are never changed', async () => {
    const now = new Date().toISOString();
    for (const [resource, query] of [
      ['appointments_history', 'order=event.desc,position&limit=20'],
      ['appointments_history', 'after=not.is.null&order=at&limit=20'],
      ['appointments', `as_of=${now}&order=notes.desc&limit=7`],
    ] as const) {
      const whole = await rowsOf(practice, `${resource}?${query.replace(/&limit=\d+/, '')}`);
      expect([resource, await walk(resource, query)]).toEqual([resource, whole]);
    }
  });

  it.each([...catalog.readable.keys()])('walk %s', async (resource) => {
    const whole = await read(resource);
    const order = resource.endsWith('_history') ? '' : 'order=id.desc&';
    const rows = (whole.json as Made[]).slice(0, 3);
    const walked = await walk(resource, 'limit=1', 3);
    expect([whole.status, walked]).toEqual([200, rows]);
    expect((await read(`${resource}?${order}limit=2&after=`)).status).toBe(200);
  });
});

/** The rows of the first pages. */
async function walk(resource: string, query: string, pages = Infinity): Promise<unknown[]> {
  const rows: unknown[] = [];
  let next: string | undefined = `?${query}&after=`;
  for (let page = 0; page < pages && next !== undefined; page += 1) {
    const answer = await read(resource + next);
    expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
    rows.push(...(answer.json as unknown[]));
    next = /<(.*)>/.exec(answer.headers.get('link') ?? '')?.[1];
  }
  return rows;
}

describe('a cursor', () => {
  const cursorOf = async (query: string): Promise<string> => {
    const page = await read(`${query}&limit=1&after=`);
    return /after=([\w-]+)/.exec(page.headers.get('link') ?? '')?.[1] ?? '';
  };

  it('belongs to its practice, resource and order, and any other cursor is 400', async () => {
    const cursor = await cursorOf('appointments?order=date');
    const refused = { code: 'PM024', message: 'the cursor cannot be used here' };
    const broken = cursor.slice(0, -3) + (cursor.endsWith('AAA') ? 'BBB' : 'AAA');
    for (const query of [
      `appointments?order=date&after=${broken}`,
      'appointments?order=date&after=x',
      `appointments?order=date.desc&after=${cursor}`,
      `appointments?after=${cursor}`,
      `appointments?order=date&offset=2&after=${cursor}`,
      `practice_settings?order=date&after=${cursor}`.replace('order=date&', ''),
    ])
      expect(await read(query)).toMatchObject({ status: 400, json: refused });
    const other = await newPractice();
    const foreign = await other.rest(`appointments?order=date&after=${cursor}`);
    expect(foreign).toMatchObject({ status: 400, json: refused });
    expect((await read(`appointments?order=date&after=${cursor}`)).status).toBe(200);
  });

  it.each([
    ['appointments?select=date,count()&after='],
    ['appointments?select=id,clients(name)&order=clients(name)&after='],
    ['appointments?select=id,service_menu(name)&order=service_menu(name)&after='],
  ])('does not continue %s', async (query) => {
    expect(await read(query)).toMatchObject({ status: 400, json: { code: 'PGRST127' } });
  });
});
