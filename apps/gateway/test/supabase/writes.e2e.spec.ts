// Every method of postgrest-js that writes, with each of its options.

import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { SupabaseClient } from '@supabase/supabase-js';
import { signedUp } from './practice.js';

let supabase: SupabaseClient;
beforeAll(async () => {
  supabase = await signedUp();
});

const named = async (name: string): Promise<unknown[]> =>
  (await supabase.from('clients').select().eq('name', name)).data ?? [];

/** The types include this modifier only if they are given the version of the server. */
const answered = (query: unknown) => query as PromiseLike<{ status: number; error: unknown }>;

describe('insert', () => {
  it('returns nothing, or the selected columns', async () => {
    expect(await supabase.from('clients').insert({ name: 'A' })).toMatchObject({
      status: 201,
      data: null,
      error: null,
    });
    const some = supabase.from('clients').insert({ name: 'A', phone: '1' }).select('name,phone,status');
    expect(await some).toMatchObject({ status: 201, data: [{ name: 'A', phone: '1', status: 'active' }] });
    expect((await supabase.from('clients').insert({ name: 'A' }).select('name').single()).data).toEqual({
      name: 'A',
    });
    const embedded = supabase
      .from('clients')
      .insert({ name: 'A' })
      .select('name,appointments(date)')
      .single();
    expect((await embedded).data).toEqual({ name: 'A', appointments: [] });
  });

  it('takes several rows, and counts them', async () => {
    const rows = [{ name: 'many' }, { name: 'many', phone: '2' }];
    const { data, count } = await supabase
      .from('clients')
      .insert(rows, { count: 'exact' })
      .select('name,phone');
    expect([data, count]).toEqual([
      [
        { name: 'many', phone: null },
        { name: 'many', phone: '2' },
      ],
      2,
    ]);
    expect((await supabase.from('clients').insert([])).status).toBe(201);
  });

  it('sets omitted columns to null, or to their defaults', async () => {
    const rows = [{ name: 'left' }, { name: 'left', status: 'inactive' }];
    expect(await supabase.from('clients').insert(rows)).toMatchObject({
      status: 400,
      error: { code: '23502' },
    });
    const { data } = await supabase.from('clients').insert(rows, { defaultToNull: false }).select('status');
    expect(data).toEqual([{ status: 'active' }, { status: 'inactive' }]);
  });

  it.each([
    ['an unknown column', { name: 'x', nam: 1 }, 400, 'PGRST204'],
    ['nothing that must be there', {}, 400, '23502'],
    ['a malformed value', { name: 'x', total_visits: 'many' }, 400, '22P02'],
    ['a broken rule', { name: 'x', status: 'asleep' }, 400, '23514'],
  ])('is refused for %s', async (_what, row, status, code) => {
    expect(await supabase.from('clients').insert(row)).toMatchObject({ data: null, status, error: { code } });
  });

  it('is all or nothing', async () => {
    const rows = [{ name: 'none' }, { name: 'none', total_visits: -1 }];
    const { error } = await supabase.from('clients').insert(rows, { defaultToNull: false });
    expect(error).toMatchObject({ code: '23514', details: expect.stringMatching(/^Record at index 1: /) });
    expect(await named('none')).toEqual([]);
  });

  it('is refused for an existing id, and for a reference to an unknown record', async () => {
    const id = randomUUID();
    await supabase.from('clients').insert({ id, name: 'first' });
    expect(await supabase.from('clients').insert({ id, name: 'second' })).toMatchObject({
      status: 409,
      error: { code: '23505', details: `Key (id)=(${id}) already exists.` },
    });
    const visit = { date: '2026-01-01', start_time: '09:00', end_time: '10:00', client_id: randomUUID() };
    expect(await supabase.from('appointments').insert(visit)).toMatchObject({
      status: 409,
      error: { code: '23503' },
    });
  });
});

describe('upsert', () => {
  it('creates and changes records', async () => {
    const id = randomUUID();
    expect(await supabase.from('clients').upsert({ id, name: 'new' })).toMatchObject({
      status: 201,
      data: null,
    });
    const again = supabase.from('clients').upsert({ id, name: 'changed', phone: '1' }).select('name,phone');
    expect(await again).toMatchObject({ status: 200, data: [{ name: 'changed', phone: '1' }] });
    const both = [
      { id, name: 'twice' },
      { id: randomUUID(), name: 'twice' },
    ];
    const { data, status, count } = await supabase
      .from('clients')
      .upsert(both, { count: 'exact' })
      .select('name');
    expect([status, count, data]).toEqual([201, 2, [{ name: 'twice' }, { name: 'twice' }]]);
  });

  it('ignores existing records', async () => {
    const id = randomUUID();
    await supabase.from('clients').insert({ id, name: 'kept' });
    const rows = [
      { id, name: 'lost' },
      { id: randomUUID(), name: 'added' },
    ];
    const { data, status } = await supabase
      .from('clients')
      .upsert(rows, { ignoreDuplicates: true })
      .select('name');
    expect([status, data]).toEqual([201, [{ name: 'added' }]]);
    expect(await named('kept')).toHaveLength(1);
  });

  it('uses another unique key', async () => {
    const hours = { day_of_week: 'monday', open_time: '09:00', close_time: '12:00' };
    const onConflict = 'day_of_week,open_time';
    expect((await supabase.from('business_hours').upsert(hours, { onConflict })).status).toBe(201);
    const longer = { ...hours, close_time: '13:00' };
    const { status, data } = await supabase
      .from('business_hours')
      .upsert(longer, { onConflict })
      .select('close_time');
    expect([status, data]).toEqual([200, [{ close_time: '13:00' }]]);
    expect(await supabase.from('business_hours').upsert(hours, { onConflict: 'close_time' })).toMatchObject({
      status: 400,
      error: { code: '42P10' },
    });
  });
});

describe('update and delete', () => {
  it('apply to the filtered records', async () => {
    await supabase.from('clients').insert([{ name: 'u1' }, { name: 'u2' }]);
    const none = await supabase.from('clients').update({ phone: '1' }).eq('name', 'nobody');
    expect(none).toMatchObject({ status: 204, data: null, error: null });
    const counted = await supabase
      .from('clients')
      .update({ phone: '1' }, { count: 'exact' })
      .like('name', 'u_');
    expect(counted).toMatchObject({ status: 204, count: 2 });
    const { data } = await supabase
      .from('clients')
      .update({ phone: '2' })
      .in('name', ['u1', 'u2'])
      .select('name,phone')
      .order('name', { ascending: false });
    expect(data).toEqual([
      { name: 'u2', phone: '2' },
      { name: 'u1', phone: '2' },
    ]);
    const gone = supabase
      .from('clients')
      .delete({ count: 'exact' })
      .or('name.eq.u1,name.eq.u2')
      .select('name');
    expect(await gone).toMatchObject({ status: 200, count: 2, data: [{ name: 'u1' }, { name: 'u2' }] });
    expect(await supabase.from('clients').delete().eq('name', 'u1')).toMatchObject({
      status: 204,
      data: null,
    });
  });

  it('need a filter', async () => {
    expect(await supabase.from('clients').update({ phone: '1' })).toMatchObject({
      status: 400,
      error: { code: '21000' },
    });
    expect(await supabase.from('clients').delete()).toMatchObject({ status: 400, error: { code: '21000' } });
  });

  it('with single change one record or no record', async () => {
    await supabase.from('clients').insert([{ name: 's' }, { name: 's' }]);
    const changed = await supabase.from('clients').update({ phone: '9' }).eq('name', 's').select().single();
    expect(changed).toMatchObject({
      status: 406,
      error: { code: 'PGRST116', details: 'The result contains 2 rows' },
    });
    expect(await named('s')).toMatchObject([{ phone: null }, { phone: null }]);
    const none = await supabase.from('clients').update({ phone: '9' }).eq('name', '?').select().maybeSingle();
    expect(none).toMatchObject({ data: null, error: null });
  });

  it('with maxAffected change at most this many records', async () => {
    await supabase.from('clients').insert([{ name: 'm' }, { name: 'm' }]);
    const changed = supabase.from('clients').update({ phone: '9' }).eq('name', 'm');
    expect(await answered(changed.maxAffected(1))).toMatchObject({
      status: 400,
      error: { code: 'PGRST124', details: 'The query affects 2 rows' },
    });
    expect(await named('m')).toMatchObject([{ phone: null }, { phone: null }]);
    const deleted = supabase.from('clients').delete().eq('name', 'm');
    expect((await answered(deleted.maxAffected(2))).status).toBe(204);
  });

  it('with rollback are a dry run, as is insert', async () => {
    const { data } = await supabase.from('clients').insert({ name: 'dry' }).select('name').rollback();
    expect(data).toEqual([{ name: 'dry' }]);
    expect(await named('dry')).toEqual([]);
  });

  it('are refused for a log', async () => {
    const id = randomUUID();
    for (const write of [
      supabase.from('conversation_log').update({ content: 'x' }).eq('id', id),
      supabase.from('conversation_log').delete().eq('id', id),
    ])
      expect(await write).toMatchObject({ status: 405, error: { code: 'PGRST117' } });
  });
});
