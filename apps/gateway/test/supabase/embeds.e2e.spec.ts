// Each form of embedding that a select of supabase-js can have, within one service and across services alike.

import { beforeAll, describe, expect, it } from '@jest/globals';
import { catalog } from '@practice/contracts';
import type { SupabaseClient } from '@supabase/supabase-js';
import { addRecords, ANN, BOB, CY, ids, signedUp } from './practice.js';

let supabase: SupabaseClient;
beforeAll(async () => {
  supabase = await signedUp();
  await addRecords(supabase);
});

/** The records of a resource, in the order of their ids. */
const read = (resource: string, select: string) => supabase.from(resource).select(select);
const dataOf = async (query: PromiseLike<{ data: unknown; error: unknown }>): Promise<unknown> => {
  const { data, error } = await query;
  expect(error).toBeNull();
  return data;
};

describe('an embed', () => {
  it.each<[string, string, string, unknown]>([
    ['one', 'appointments', 'date,clients(name)', { date: '2026-01-05', clients: { name: 'Ann Lee' } }],
    ['one of the same service', 'appointments', 'service_menu(name)', { service_menu: { name: 'Massage' } }],
    [
      'many',
      'clients',
      'appointments(date)',
      { appointments: [{ date: '2026-01-05' }, { date: '2026-01-06' }] },
    ],
    [
      'many of the same service',
      'clients',
      'conversation_log(content)',
      {
        conversation_log: [{ content: 'hello' }, { content: 'again' }],
      },
    ],
    ['an alias', 'appointments', 'who:clients(called:name)', { who: { called: 'Ann Lee' } }],
    ['the column', 'appointments', 'client_id(name)', { client_id: { name: 'Ann Lee' } }],
    ['the key', 'appointments', 'c:appointments_client_id_fkey(name)', { c: { name: 'Ann Lee' } }],
    ['a hint', 'appointments', 'clients!client_id(name)', { clients: { name: 'Ann Lee' } }],
    [
      'a hint and a join',
      'appointments',
      'clients!appointments_client_id_fkey!inner(name)',
      {
        clients: { name: 'Ann Lee' },
      },
    ],
    ['a left join', 'appointments', 'clients!left(name)', { clients: { name: 'Ann Lee' } }],
    ['nothing of it', 'appointments', 'date,clients()', { date: '2026-01-05' }],
    ['a spread of one', 'appointments', 'date,...clients(who:name)', { date: '2026-01-05', who: 'Ann Lee' }],
    [
      'a spread of many',
      'clients',
      'name,...appointments(date,notes)',
      {
        name: 'Ann Lee',
        date: ['2026-01-05', '2026-01-06'],
        notes: ['a fat cat', null],
      },
    ],
    ['how many', 'clients', 'name,appointments(count)', { name: 'Ann Lee', appointments: [{ count: 2 }] }],
    [
      'sums within',
      'clients',
      'appointments(status,count())',
      {
        appointments: [{ status: 'no_show', count: 2 }],
      },
    ],
    [
      'three services',
      'sessions',
      'plan,appointments(date,clients(name),service_menu(name))',
      {
        plan: 'rest',
        appointments: { date: '2026-01-05', clients: { name: 'Ann Lee' }, service_menu: { name: 'Massage' } },
      },
    ],
    [
      'four levels',
      'clients',
      'sessions(appointments(service_menu(appointments(date))))',
      {
        sessions: [{ appointments: { service_menu: { appointments: [{ date: '2026-01-05' }] } } }],
      },
    ],
    [
      'a JSON path',
      'clients',
      'conversation_log(metadata->by->>who)',
      {
        conversation_log: [{ who: 'x' }, { who: null }],
      },
    ],
    [
      'two of one kind',
      'clients',
      'a:appointments(date),b:sessions(plan)',
      {
        a: [{ date: '2026-01-05' }, { date: '2026-01-06' }],
        b: [{ plan: 'rest' }],
      },
    ],
  ])('%s', async (_what, resource, select, first) => {
    expect(await dataOf(read(resource, select).limit(1))).toEqual([first]);
  });

  it('is null or empty without related records', async () => {
    expect(await dataOf(read('appointments', 'clients(name),service_menu(name)').eq('id', ids[3]))).toEqual([
      { clients: null, service_menu: null },
    ]);
    expect(
      await dataOf(read('clients', 'appointments(date),conversation_log(content)').eq('id', BOB)),
    ).toEqual([{ appointments: [{ date: '2026-01-07' }], conversation_log: [] }]);
  });

  it('is left out if it selects no column on any level', async () => {
    expect(await dataOf(read('clients', 'id,appointments(service_menu())').eq('id', BOB))).toEqual([
      { id: BOB },
    ]);
  });
});

describe('an embed with parameters', () => {
  const names = async (query: PromiseLike<{ data: unknown; error: unknown }>): Promise<unknown> =>
    ((await dataOf(query)) as { name: string; id: string }[]).map(({ id }) => id);

  it('filters only its own records', async () => {
    const query = read('clients', 'id,appointments(date)').eq('appointments.status', 'cancelled');
    expect(await dataOf(query)).toEqual([
      { id: ANN, appointments: [] },
      { id: BOB, appointments: [{ date: '2026-01-07' }] },
      { id: CY, appointments: [] },
    ]);
  });

  it('filters the parent records if it is inner', async () => {
    const query = supabase
      .from('clients')
      .select('id,appointments!inner(date)', { count: 'exact' })
      .eq('appointments.status', 'cancelled');
    expect(await query).toMatchObject({ count: 1, data: [{ id: BOB }] });
    expect(
      await names(read('clients', 'id,conversation_log!inner()').eq('conversation_log.content', 'third')),
    ).toEqual([CY]);
  });

  it('can test whether related records exist', async () => {
    expect(await names(read('clients', 'id,appointments()').is('appointments', null))).toEqual([CY]);
    expect(await names(read('clients', 'id,appointments()').not('appointments', 'is', null))).toEqual([
      ANN,
      BOB,
    ]);
    const either = read('clients', 'id,appointments(),conversation_log()');
    expect(await names(either.or('appointments.is.null,conversation_log.is.null'))).toEqual([BOB, CY]);
  });

  it('can order, limit and combine filters with or', async () => {
    const query = read('clients', 'id,appointments(date)')
      .eq('id', ANN)
      .order('date', { referencedTable: 'appointments', ascending: false })
      .limit(1, { referencedTable: 'appointments' });
    expect(await dataOf(query)).toEqual([{ id: ANN, appointments: [{ date: '2026-01-06' }] }]);
    const ranged = read('clients', 'id,a:appointments(date)')
      .eq('id', ANN)
      .range(1, 1, { referencedTable: 'a' });
    expect(await dataOf(ranged)).toEqual([{ id: ANN, a: [{ date: '2026-01-06' }] }]);
    const either = read('clients', 'id,appointments(date)')
      .eq('id', ANN)
      .or('notes.is.null,date.eq.2026-01-01', { referencedTable: 'appointments' });
    expect(await dataOf(either)).toEqual([{ id: ANN, appointments: [{ date: '2026-01-06' }] }]);
  });

  it('can order the parent records by a related column', async () => {
    const query = read('appointments', 'id,clients(name),service_menu(price)')
      .order('clients(name)', { ascending: false, nullsFirst: false })
      .order('service_menu(price)');
    expect(await names(query)).toEqual([ids[2], ids[1], ids[0], ids[3]]);
  });

  it('can group and sum by a related column', async () => {
    expect(await dataOf(read('appointments', '...clients(name,count())').order('clients(name)'))).toEqual([
      { name: 'Ann Lee', count: 2 },
      { name: 'Bob "B", (jr.)', count: 1 },
      { name: null, count: 0 },
    ]);
    expect(await dataOf(read('sessions', '...appointments(status,...service_menu(price.sum()))'))).toEqual([
      { status: 'no_show', sum: 120 },
      { status: null, sum: null },
    ]);
  });

  it.each([
    ['clients', 'name,visits(date)', 400, 'PGRST200'],
    ['clients', 'name,id(*)', 300, 'PGRST201'],
    ['clients', 'name,appointments(nothing)', 400, '42703'],
    ['clients', 'name,...appointments(count())', 400, 'PGRST127'],
    ['clients', 'name,appointments(date', 400, 'PGRST100'],
  ])('is refused: %s %s', async (resource, select, status, code) => {
    expect(await read(resource, select)).toMatchObject({ data: null, status, error: { code } });
  });

  it('is refused with the matching relations if there are several', async () => {
    const { error } = await read('clients', 'id(*)');
    expect(error?.details).toContainEqual({
      cardinality: 'one-to-many',
      embedding: 'clients with appointments',
      relationship: 'appointments_client_id_fkey using clients(id) and appointments(client_id)',
    });
    const relations = catalog.relations.filter(({ to }) => to === 'clients');
    expect(relations.length).toBeGreaterThan(4);
    const listed = relations.map(({ from }) => `'${from}!${from}_client_id_fkey'`).join(', ');
    expect(error?.hint).toBe(
      `Try changing 'id' to one of the following: ${listed}. Find the desired relationship in the 'details' key.`,
    );
  });
});
