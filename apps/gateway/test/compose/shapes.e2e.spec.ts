// Relations within relations, every shape of response, and the representation of writes, as supabase-js requests them.

import { beforeAll, describe, expect, it } from '@jest/globals';
import { make, newPractice, type Made, type Practice } from '@practice/testing';
import type { SupabaseClient } from '@supabase/supabase-js';
import { clientOf } from '../supabase/practice.js';
import { addCalendar } from './calendar.js';

let practice: Practice;
let api: SupabaseClient;
let ada: Made;

beforeAll(async () => {
  practice = await newPractice();
  api = clientOf(practice);
  ada = await addCalendar((resource, record) => make(practice, resource, record));
});

describe('relations within relations', () => {
  it('may cross services on every level', async () => {
    const { data } = await api
      .from('sessions')
      .select(
        'plan,appointments(date,service_menu(name),clients(name,conversation_log(content,clients(status))))',
      )
      .order('plan');
    expect(data).toEqual([
      { plan: 'more', appointments: null },
      {
        plan: 'rest',
        appointments: {
          date: '2026-05-01',
          service_menu: { name: 'Massage' },
          clients: {
            name: 'Ada Lovelace',
            conversation_log: [{ content: 'hello', clients: { status: 'active' } }],
          },
        },
      },
    ]);
  });

  it('filter the outermost rows by conditions on the innermost relation', async () => {
    const { data, count } = await api
      .from('service_menu')
      .select('name,appointments!inner(date,clients!inner(name,sessions!inner(plan)))', { count: 'exact' })
      .eq('appointments.clients.sessions.plan', 'rest');
    expect([count, data]).toEqual([
      1,
      [
        {
          name: 'Massage',
          appointments: [
            { date: '2026-05-01', clients: { name: 'Ada Lovelace', sessions: [{ plan: 'rest' }] } },
          ],
        },
      ],
    ]);
  });
});

describe('other shapes', () => {
  it('CSV', async () => {
    const { data } = await api.from('appointments').select('date,clients(name)').order('date').limit(1).csv();
    expect(data).toBe('date,clients\n2026-05-01,"{""name"":""Ada Lovelace""}"');
  });

  it('with embedded columns after the row’s own columns', async () => {
    const query = 'select=clients(name),date,...service_menu(name),notes&limit=1&order=date';
    const { text } = await practice.rest(`appointments?${query}`, { headers: { accept: 'text/csv' } });
    expect(text.split('\n')[0]).toBe('date,notes,clients,name');
  });

  it('without nulls', async () => {
    const { data } = await api
      .from('appointments')
      .select('date,notes,clients(name,phone)')
      .in('date', ['2026-05-03', '2026-05-04'])
      .order('date')
      .stripNulls();
    expect(data).toEqual([{ date: '2026-05-03', clients: { name: 'Bo' } }, { date: '2026-05-04' }]);
  });

  it('one object, and an error for no row or several', async () => {
    const some = api.from('appointments').select('clients(name)');
    expect((await some.gte('date', '2026-05-03').single()).error).toMatchObject({ code: 'PGRST116' });
  });

  it('the representation of a write', async () => {
    const added = await api
      .from('appointments')
      .insert({ date: '2026-06-01', start_time: '09:00', end_time: '10:00', client_id: ada.id })
      .select('date,clients(name)')
      .single();
    expect([added.status, added.data]).toEqual([
      201,
      { date: '2026-06-01', clients: { name: 'Ada Lovelace' } },
    ]);
    const changed = await api
      .from('appointments')
      .update({ notes: 'x' })
      .eq('date', '2026-06-01')
      .select('notes,...clients(name)');
    expect([changed.status, changed.data]).toEqual([200, [{ notes: 'x', name: 'Ada Lovelace' }]]);
    const narrowed = await api
      .from('appointments')
      .update({ notes: 'y' })
      .eq('date', '2026-06-01')
      .eq('clients.name', 'Bo')
      .select('notes,clients!inner(name)');
    expect([narrowed.status, narrowed.data]).toEqual([200, []]);
    const gone = await api.from('appointments').delete().eq('date', '2026-06-01').select('clients(name)');
    expect([gone.status, gone.data]).toEqual([200, [{ clients: { name: 'Ada Lovelace' } }]]);
  });
});
