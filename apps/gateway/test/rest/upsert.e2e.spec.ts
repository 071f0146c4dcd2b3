// Writes of records that may exist already: POST with a resolution, and PUT.

import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { find, make, newPractice, type Answer, type Practice, write } from '@practice/testing';
import { clientOf } from '../supabase/practice.js';

let practice: Practice;
beforeAll(async () => {
  practice = await newPractice();
});

const upsert = (path: string, body: unknown, prefer = 'resolution=merge-duplicates'): Promise<Answer> =>
  write(practice, path, { method: 'POST', headers: { prefer: `${prefer}, return=representation` }, body });
const put = (id: string, body: object, prefer = 'return=representation'): Promise<Answer> =>
  write(practice, `clients?id=eq.${id}`, { method: 'PUT', headers: { prefer }, body });

describe('merge-duplicates', () => {
  it('updates existing records and creates the others in one request', async () => {
    const { id } = await make(practice, 'clients', { name: 'Ada', phone: '1' });
    const answer = await upsert('clients', [
      { id, name: 'Grace' },
      { id: randomUUID(), name: 'New' },
    ]);
    expect(answer.status).toBe(201);
    expect(answer.headers.get('preference-applied')).toContain('resolution=merge-duplicates');
    expect(answer.json).toMatchObject([{ id, name: 'Grace', phone: '1' }, { name: 'New' }]);
  });

  it('sets every listed column, to its default if the caller prefers that', async () => {
    const { id } = await make(practice, 'clients', { name: 'Ada', phone: '1', status: 'inactive' });
    const prefer = 'resolution=merge-duplicates, missing=default';
    const body = [
      { id, name: 'Ada' },
      { name: 'New', phone: '2' },
    ];
    const answer = await upsert(
      'clients?columns=id,name,phone,status&select=name,phone,status',
      body,
      prefer,
    );
    expect(answer.json).toEqual([
      { name: 'Ada', phone: null, status: 'active' },
      { name: 'New', phone: '2', status: 'active' },
    ]);
  });

  it('keeps standard columns that are null, as supabase-js sends columns that only other rows have', async () => {
    const { id } = await make(practice, 'clients', { name: 'Ada' });
    const rows = [
      { id, name: 'Grace' },
      { name: 'Early', created_at: '2020-01-01T00:00:00+00:00' },
    ];
    const { data, error } = await clientOf(practice).from('clients').upsert(rows).select('name, created_at');
    expect(error).toBeNull();
    expect(data).toEqual([{ name: 'Grace', created_at: expect.any(String) }, { ...rows[1] }]);
    const patched = await practice.rest(`clients?id=eq.${id}&select=name`, {
      method: 'PATCH',
      headers: { prefer: 'return=representation' },
      body: { id: null, therapist_id: null, created_at: null, updated_at: null, name: 'Hopper' },
    });
    expect([patched.status, patched.json]).toEqual([200, [{ name: 'Hopper' }]]);
  });

  it('requires the required columns only for new records', async () => {
    const { id } = await make(practice, 'clients', { name: 'Ada', phone: '1' });
    const answer = await upsert('clients', { id, phone: '2' });
    expect([answer.status, answer.json]).toEqual([
      200,
      [expect.objectContaining({ name: 'Ada', phone: '2' })],
    ]);
    const refused = await upsert('clients', [
      { id, phone: '3' },
      { id: randomUUID(), phone: '3' },
    ]);
    expect([refused.status, refused.json]).toEqual([400, expect.objectContaining({ code: '23502' })]);
    expect(await find(practice, 'clients', id)).toMatchObject({ phone: '2' });
  });

  it('answers 200 when nothing is new', async () => {
    const { id } = await make(practice, 'clients', { name: 'Ada' });
    expect((await upsert('clients', { id, name: 'Grace' })).status).toBe(200);
  });

  it('finds records by another unique key', async () => {
    const hours = { day_of_week: 'monday', open_time: '09:00', close_time: '12:00' };
    const { id } = await make(practice, 'business_hours', hours);
    const path = 'business_hours?on_conflict=day_of_week,open_time';
    expect((await upsert(path, { ...hours, close_time: '13:00' })).json).toMatchObject([
      { id, close_time: '13:00' },
    ]);
  });

  it('applies every rule: a violation changes no record', async () => {
    const booked = { date: '2027-01-04', start_time: '09:00', end_time: '10:00' };
    const { id } = await make(practice, 'appointments', booked);
    const answer = await upsert('appointments', [
      { id, ...booked, start_time: '08:00' },
      { id: randomUUID(), ...booked },
    ]);
    expect(answer).toMatchObject({ status: 409, json: { code: 'PM002' } });
    expect(await find(practice, 'appointments', id)).toMatchObject({ start_time: '09:00' });
  });

  it('refuses two rows for one record, and a conflict target that is not a key', async () => {
    const id = randomUUID();
    const twice = [
      { id, name: 'one' },
      { id, name: 'other' },
    ];
    expect(await upsert('clients', twice)).toMatchObject({ status: 400, json: { code: '21000' } });
    expect(await find(practice, 'clients', id)).toBeUndefined();
    const path = 'clients?on_conflict=name';
    expect(await upsert(path, { name: 'x' })).toMatchObject({ status: 400, json: { code: '42P10' } });
  });
});

describe('a conflict target that is not the id', () => {
  const path = 'business_hours?on_conflict=day_of_week,open_time';
  const hours = { day_of_week: 'monday', open_time: '09:00', close_time: '10:00' };

  it.each(['merge-duplicates', 'ignore-duplicates'])(
    'does not let %s overwrite another record that has the id',
    async (resolution) => {
      const other = await newPractice();
      const { id } = await make(other, 'business_hours', hours);
      const free = { ...hours, id, day_of_week: 'tuesday' };
      const headers = { prefer: `resolution=${resolution}` };
      const answer = await other.rest(path, { method: 'POST', body: free, headers });
      expect(answer).toMatchObject({ status: 409, json: { code: '23505' } });
      expect((answer.json as { message: string }).message).toContain('business_hours_pkey');
      expect(await find(other, 'business_hours', id)).toMatchObject(hours);
      const fresh = randomUUID();
      const both = ['wednesday', 'thursday'].map((day_of_week) => ({ ...hours, id: fresh, day_of_week }));
      expect((await other.rest(path, { method: 'POST', body: both, headers })).status).toBe(409);
      expect(await find(other, 'business_hours', fresh)).toBeUndefined();
    },
  );
});

describe('ignore-duplicates', () => {
  it('ignores existing records and returns the new ones', async () => {
    const { id } = await make(practice, 'clients', { name: 'Ada' });
    const fresh = randomUUID();
    const answer = await upsert(
      'clients',
      [
        { id, name: 'Grace' },
        { id: fresh, name: 'New' },
      ],
      'resolution=ignore-duplicates',
    );
    expect(answer).toMatchObject({ status: 201, json: [{ id: fresh }] });
    expect(await find(practice, 'clients', id)).toMatchObject({ name: 'Ada' });
  });
});

describe('PUT', () => {
  it('creates a record, and later changes it', async () => {
    const id = randomUUID();
    expect(await put(id, { id, name: 'Ada' })).toMatchObject({ status: 201, json: [{ id, name: 'Ada' }] });
    expect(await put(id, { id, name: 'Grace' })).toMatchObject({ status: 200, json: [{ name: 'Grace' }] });
    expect((await put(id, { id, name: 'Grace' }, 'return=minimal')).status).toBe(204);
  });

  it('accepts a whole record as it was read', async () => {
    const { id } = await make(practice, 'clients', { name: 'Ada' });
    const record = await find(practice, 'clients', id);
    expect((await put(String(id), { ...record, phone: '1' })).json).toMatchObject([
      { name: 'Ada', phone: '1' },
    ]);
  });

  it('refuses an id in the body that differs from the id in the URL', async () => {
    const answer = await put(randomUUID(), { id: randomUUID(), name: 'Ada' });
    expect(answer).toMatchObject({ status: 400, json: { code: 'PGRST115' } });
  });
});
