import { beforeAll, describe, expect, it } from '@jest/globals';
import { find, make, newPractice, patch, remove, type Practice } from '@practice/testing';

let practice: Practice;
beforeAll(async () => {
  practice = await newPractice();
});

/** A valid e-mail address of a given length. Each label of a host name may have 63 characters. */
const addressOf = (length: number): string => {
  const host = `${'b'.repeat(63)}.${'c'.repeat(63)}.example`;
  return `${'a'.repeat(length - host.length - 1)}@${host}`;
};

describe('a client', () => {
  it('is active and has no visits after its registration', async () => {
    const ada = await make(practice, 'clients', { name: 'Ada' });
    const preset = { email: null, phone: null, status: 'active', total_visits: 0 };
    expect(ada).toMatchObject({ name: 'Ada', therapist_id: practice.therapistId, ...preset });
  });

  it('can be changed in every writable column, and a whole record that is written back changes nothing', async () => {
    const { id } = await make(practice, 'clients', { name: 'Ada' });
    const changes = { name: 'Ada B.', email: 'a@b.example', phone: '5', status: 'archived', total_visits: 3 };
    await patch(practice, 'clients', { id, ...changes });
    const changed = await find(practice, 'clients', id);
    expect(changed).toMatchObject(changes);
    await practice.rest(`clients?id=eq.${id}`, { method: 'PATCH', body: changed });
    expect(await find(practice, 'clients', id)).toEqual(changed);
  });

  it('can be deleted while nothing refers to it', async () => {
    const { id } = await make(practice, 'clients', { name: 'Ada' });
    expect((await remove(practice, 'clients', id)).status).toBe(204);
    expect(await find(practice, 'clients', id)).toBeUndefined();
  });

  it('that was deleted a moment ago cannot be referred to', async () => {
    for (let day = 10; day < 30; day += 1) {
      const { id } = await make(practice, 'clients', { name: 'Ada' });
      // By now, the other service knows the client or will know it soon.
      const slot = { date: `2030-01-${day}`, start_time: '09:00', end_time: '10:00' };
      await make(practice, 'appointments', slot);
      await remove(practice, 'clients', id);
      const body = { ...slot, start_time: '08:00', end_time: '09:00', client_id: id };
      const booked = await practice.rest('appointments', { method: 'POST', body });
      expect(booked).toMatchObject({ status: 409, json: { code: '23503' } });
    }
  });

  it('may have an address of 320 characters', async () => {
    const email = addressOf(320);
    expect(await make(practice, 'clients', { name: 'Ada', email })).toMatchObject({ email });
  });

  it.each<[string, object, string]>([
    ['a blank name', { name: ' \t' }, '23514'],
    ['no name', { name: null }, '23502'],
    ['a malformed address', { email: 'ada at example' }, '23514'],
    ['an address of 321 characters', { email: addressOf(321) }, '22001'],
    ['a status there is not', { status: 'gone' }, '23514'],
    ['less than no visits', { total_visits: -1 }, '23514'],
    ['half a visit', { total_visits: 1.5 }, '22P02'],
    ['more visits than can be counted', { total_visits: 2_147_483_648 }, '22003'],
  ])('with %s is refused, new or changed', async (_what, wrong, code) => {
    const body = { name: 'Ada', ...wrong };
    const refusal = { status: 400, json: { code } };
    expect(await practice.rest('clients', { method: 'POST', body })).toMatchObject(refusal);
    const { id } = await make(practice, 'clients', { name: 'Ada' });
    const changed = await practice.rest(`clients?id=eq.${id}`, { method: 'PATCH', body: wrong });
    expect(changed).toMatchObject(refusal);
  });

  it('is found by a part of the name in upper or lower case', async () => {
    const own = await newPractice();
    for (const name of ['Ada Lovelace', 'Grace Hopper', 'ada b.']) await make(own, 'clients', { name });
    const found = await own.rest('clients?name=ilike.*ADA*&select=name&order=name');
    expect((found.json as object[]).length).toBe(2);
  });
});
