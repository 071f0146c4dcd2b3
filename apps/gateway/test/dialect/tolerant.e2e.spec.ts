// Cases in which the API accepts more than PostgREST 14.14. docs/api/reading.md lists them.

import { beforeAll, describe, expect, it } from '@jest/globals';
import { make, newPractice, type Practice, patient } from '@practice/testing';

let practice: Practice;
beforeAll(async () => {
  practice = await newPractice();
});

const post = (path: string, body: object, prefer = 'return=representation') =>
  patient(() => practice.rest(path, { method: 'POST', headers: { prefer }, body }));

describe('a body', () => {
  it.each(['id', 'therapist_id', 'created_at'])(
    'with a null %s is the same as without it',
    async (column) => {
      const { status, json } = await post('clients', { name: 'Ada', [column]: null });
      expect([status, json]).toEqual([
        201,
        [expect.objectContaining({ therapist_id: practice.therapistId })],
      ]);
      expect(json).toEqual([expect.objectContaining({ [column]: expect.any(String) })]);
    },
  );

  it('may contain metadata as an object or as its JSON text', async () => {
    const { id } = await make(practice, 'clients', { name: 'Ada' });
    const entry = { client_id: id, content: 'hello' };
    for (const metadata of [{ thread: 1 }, '{"thread":1}']) {
      const { status, json } = await post('conversation_log?select=metadata', { ...entry, metadata });
      expect([status, json]).toEqual([201, [{ metadata: { thread: 1 } }]]);
    }
    const list = await post('conversation_log', { ...entry, metadata: '[1]' });
    expect([list.status, (list.json as { code: string }).code]).toEqual([400, '22P02']);
  });
});

describe('on_conflict', () => {
  const upsert = (target: string, body: object) =>
    post(target, body, 'resolution=merge-duplicates, return=representation');

  it('may name the practice before the id', async () => {
    const { id } = await make(practice, 'clients', { name: 'Ada' });
    const { status, json } = await upsert('clients?on_conflict=therapist_id,id&select=id,name', {
      id,
      name: 'Bo',
    });
    expect([status, json]).toEqual([200, [{ id, name: 'Bo' }]]);
  });

  it('may name the practice before another unique key', async () => {
    const hours = { day_of_week: 'monday', open_time: '09:00', close_time: '12:00' };
    const { id } = await make(practice, 'business_hours', hours);
    const path = 'business_hours?on_conflict=therapist_id,day_of_week,open_time&select=id,close_time';
    const { status, json } = await upsert(path, { ...hours, close_time: '13:00' });
    expect([status, json]).toEqual([200, [{ id, close_time: '13:00' }]]);
  });
});
