// Every form of embedding across services, as supabase-js requests it.

import { beforeAll, describe, expect, it } from '@jest/globals';
import { make, newPractice, type Practice } from '@practice/testing';
import type { SupabaseClient } from '@supabase/supabase-js';
import { clientOf } from '../supabase/practice.js';
import { addCalendar } from './calendar.js';

let practice: Practice;
let api: SupabaseClient;

beforeAll(async () => {
  practice = await newPractice();
  api = clientOf(practice);
  await addCalendar((resource, record) => make(practice, resource, record));
});

const dates = (data: unknown): string[] => (data as { date: string }[]).map(({ date }) => date.slice(-2));

describe('one related record', () => {
  it('is an object, or null', async () => {
    const { data, error } = await api.from('appointments').select('date,clients(name)').order('date');
    expect(error).toBeNull();
    expect(data).toEqual([
      { date: '2026-05-01', clients: { name: 'Ada Lovelace' } },
      { date: '2026-05-02', clients: { name: 'Ada Lovelace' } },
      { date: '2026-05-03', clients: { name: 'Bo' } },
      { date: '2026-05-04', clients: null },
    ]);
  });

  it.each([
    'person:clients(name)',
    'person:client_id(name)',
    'person:clients!client_id(name)',
    'person:clients!appointments_client_id_fkey(name)',
    'person:appointments_client_id_fkey(name)',
    'person:clients!left(name)',
    'person:clients!client_id!inner(name)',
  ])('is found by each of its names: %s', async (embed) => {
    const { data } = await api.from('appointments').select(embed).eq('date', '2026-05-01').single();
    expect(data).toEqual({ person: { name: 'Ada Lovelace' } });
  });

  it('is embedded next to a record of the same service, with numbers as they are stored', async () => {
    const answer = await practice.rest(
      'appointments?select=service_menu(price),clients(total_visits)&date=eq.2026-05-01',
    );
    expect(answer.text).toBe('[{"service_menu":{"price":120.00},"clients":{"total_visits":0}}]');
  });

  it('is filtered without filtering the parent, unless it is inner', async () => {
    const visits = (embed: string) =>
      api
        .from('appointments')
        .select(`date,${embed}`, { count: 'exact' })
        .eq('clients.status', 'active')
        .order('date');
    const left = await visits('clients(name)');
    expect([left.count, left.data?.map((row) => (row as { clients?: unknown }).clients === null)]).toEqual([
      4,
      [false, false, true, true],
    ]);
    const inner = await visits('clients!inner(name)');
    expect([inner.count, dates(inner.data)]).toEqual([2, ['01', '02']]);
  });

  it('pages and counts the rows that remain', async () => {
    const { data, count, status } = await api
      .from('appointments')
      .select('date,clients!inner(name)', { count: 'exact' })
      .order('date')
      .range(1, 1);
    expect([dates(data), count, status]).toEqual([['02'], 3, 206]);
    const head = await api
      .from('appointments')
      .select('clients!inner(name)', { count: 'exact', head: true })
      .like('clients.name', 'A*');
    expect([head.count, head.data]).toEqual([2, null]);
  });

  it('is tested for null, by itself and with other conditions', async () => {
    const some = (select = 'date,clients()') => api.from('appointments').select(select).order('date');
    expect(dates((await some().is('clients', null)).data)).toEqual(['04']);
    expect(dates((await some().not('clients', 'is', null)).data)).toEqual(['01', '02', '03']);
    expect(dates((await some().or('clients.is.null,date.eq.2026-05-03')).data)).toEqual(['03', '04']);
    const named = some('date,c:clients()').eq('c.name', 'Bo').or('c.not.is.null,notes.not.is.null');
    expect(dates((await named).data)).toEqual(['02', '03']);
  });

  it('orders its parent rows', async () => {
    const { data } = await api
      .from('appointments')
      .select('date,clients(name)')
      .order('clients(name)', { ascending: false, nullsFirst: false })
      .order('date', { ascending: false });
    expect(dates(data)).toEqual(['03', '02', '01', '04']);
    const first = await api.from('appointments').select('date,clients()').order('clients(name)').limit(1);
    expect(dates(first.data)).toEqual(['01']);
  });

  it('is spread into the row', async () => {
    const { data } = await api
      .from('appointments')
      .select('...clients(name,mail:email),date')
      .in('date', ['2026-05-01', '2026-05-04'])
      .order('date');
    expect(data).toEqual([
      { name: 'Ada Lovelace', mail: 'ada@example.com', date: '2026-05-01' },
      { name: null, mail: null, date: '2026-05-04' },
    ]);
  });
});

describe('many related records', () => {
  it('are arrays, each with its own order and page', async () => {
    const { data } = await api
      .from('clients')
      .select('name,appointments(date)')
      .order('name')
      .order('date', { referencedTable: 'appointments', ascending: false })
      .range(0, 0, { referencedTable: 'appointments' });
    expect(data).toEqual([
      { name: 'Ada Lovelace', appointments: [{ date: '2026-05-02' }] },
      { name: 'Bo', appointments: [{ date: '2026-05-03' }] },
      { name: 'Cy', appointments: [] },
    ]);
  });

  it('are counted and summed', async () => {
    const { data } = await api
      .from('clients')
      .select('name,appointments(count),first:appointments(date.min()),sessions(n:id.count())')
      .order('name');
    expect(data).toEqual([
      {
        name: 'Ada Lovelace',
        appointments: [{ count: 2 }],
        first: [{ min: '2026-05-01' }],
        sessions: [{ n: 2 }],
      },
      { name: 'Bo', appointments: [{ count: 1 }], first: [{ min: '2026-05-03' }], sessions: [{ n: 0 }] },
      { name: 'Cy', appointments: [{ count: 0 }], first: [{ min: null }], sessions: [{ n: 0 }] },
    ]);
  });

  it('are grouped and summed when their columns are spread', async () => {
    const { data } = await api
      .from('appointments')
      .select('...clients(name),count(),...service_menu(price.sum())');
    expect(data).toEqual([
      { name: 'Ada Lovelace', count: 2, sum: 120 },
      { name: 'Bo', count: 1, sum: 120 },
      { name: null, count: 1, sum: null },
    ]);
    const sums = api.from('appointments').select('...clients!inner(status,visits:total_visits.sum())');
    expect((await sums.like('clients.name', 'A*')).data).toEqual([{ status: 'active', visits: 0 }]);
    const whole = await api.from('appointments').select('clients(name,status),count()');
    expect(whole.data).toEqual([
      { clients: { name: 'Ada Lovelace', status: 'active' }, count: 2 },
      { clients: { name: 'Bo', status: 'inactive' }, count: 1 },
      { clients: null, count: 1 },
    ]);
    const inner = await api.from('service_menu').select('name,appointments(...clients(who:name),count())');
    expect(inner.data).toEqual([
      {
        name: 'Massage',
        appointments: [
          { who: 'Ada Lovelace', count: 1 },
          { who: 'Bo', count: 1 },
        ],
      },
    ]);
  });

  it('are spread as arrays', async () => {
    const { data } = await api
      .from('clients')
      .select('name,...appointments(date,notes)')
      .order('name')
      .limit(1);
    expect(data).toEqual([
      { name: 'Ada Lovelace', date: ['2026-05-01', '2026-05-02'], notes: [null, 'a, "b"'] },
    ]);
  });

  it('are filtered with or, under an alias twice', async () => {
    const { data } = await api
      .from('clients')
      .select('early:appointments(date),late:appointments(date)')
      .eq('name', 'Ada Lovelace')
      .lt('early.date', '2026-05-02')
      .or('date.gte.2026-05-02,notes.eq.x', { referencedTable: 'late' })
      .single();
    expect(data).toEqual({ early: [{ date: '2026-05-01' }], late: [{ date: '2026-05-02' }] });
  });
});
