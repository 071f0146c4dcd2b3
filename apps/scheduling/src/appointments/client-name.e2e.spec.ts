import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { eventually, find, make, newPractice, patch, slot } from '@practice/testing';
import type { Made, Practice } from '@practice/testing';

let practice: Practice;
let slots = 0;

beforeAll(async () => {
  practice = await newPractice();
});

const register = (name: string): Promise<Made> => make(practice, 'clients', { name });
const book = (clientId: string, more: object = {}): Promise<Made> =>
  make(practice, 'appointments', { ...slot(slots++), client_id: clientId, status: 'completed', ...more });
const nameOn = async ({ id }: Made): Promise<unknown> =>
  (await find(practice, 'appointments', id))?.['client_name'];

describe('a client made a moment ago', () => {
  it('can be booked at once under its name, a hundred times', async () => {
    const oneAfterAnother = async (from: number): Promise<void> => {
      for (let index = from; index < from + 25; index += 1) {
        const { id } = await register(`Client ${index}`);
        expect(await book(id)).toMatchObject({ client_id: id, client_name: `Client ${index}` });
      }
    };
    await Promise.all([0, 100, 200, 300].map(oneAfterAnother));
  });

  it('can be booked in bulk, each row with its own client', async () => {
    const clients = await Promise.all(['A', 'B', 'C'].map(register));
    const body = clients.map(({ id }) => ({ ...slot(slots++), client_id: id, status: 'no_show' }));
    const headers = { prefer: 'return=representation' };
    const answer = await practice.rest('appointments', { method: 'POST', body, headers });
    expect((answer.json as Made[]).map((row) => row['client_name'])).toEqual(['A', 'B', 'C']);
  });

  it('is renamed on appointments that were booked before the rename arrived', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id } = await register('Before');
      const booked = await Promise.all([
        book(id),
        patch(practice, 'clients', { id, name: 'After' }),
        book(id),
      ]);
      const all = [booked[0], booked[2]];
      await eventually('both show the new name', async () =>
        (await Promise.all(all.map(nameOn))).every((name) => name === 'After'),
      );
    }
  });
});

describe('a client that does not exist', () => {
  const refused = async (id: string): Promise<string> => {
    const body = { ...slot(slots++), client_id: id };
    const answer = await practice.rest('appointments', { method: 'POST', body });
    expect(answer).toMatchObject({ status: 409, json: { code: '23503' } });
    return answer.text.replaceAll(id, 'ID');
  };

  it('is refused with the same error as a client of another practice', async () => {
    const stranger = await make(await newPractice(), 'clients', { name: 'Stranger' });
    expect(await refused(stranger.id)).toBe(await refused(randomUUID()));
  });

  it('refuses a whole import, and the error names the record', async () => {
    const { id } = await register('Ada');
    const [fine, wrong] = [id, randomUUID()].map((client) => ({ ...slot(slots++), client_id: client }));
    const answer = await practice.rest('appointments', { method: 'POST', body: [fine, wrong] });
    expect(answer).toMatchObject({ status: 409, json: { code: '23503' } });
    expect(answer.text).toContain('index 1');
    expect((await practice.rest(`appointments?client_id=eq.${id}`)).json).toEqual([]);
  });

  it('is refused in a change of an appointment', async () => {
    const { id } = await book((await register('Ada')).id);
    const body = { client_id: randomUUID() };
    const answer = await practice.rest(`appointments?id=eq.${id}`, { method: 'PATCH', body });
    expect(answer).toMatchObject({ status: 409, json: { code: '23503' } });
  });
});

describe('a new name of a client', () => {
  it('reaches every appointment that shows the name, but no appointment that was named by hand', async () => {
    const { id } = await register('Ada');
    const following = await Promise.all([book(id), book(id), book(id, { client_name: 'Ada' })]);
    const byHand = await book(id, { client_name: 'Mum of Ada' });
    const later = await book(id);
    await patch(practice, 'appointments', { id: later.id, client_name: 'A.' });
    await patch(practice, 'clients', { id, name: 'Ada B.' });
    await eventually('the name has arrived', async () =>
      (await Promise.all(following.map(nameOn))).every((name) => name === 'Ada B.'),
    );
    expect(await nameOn(byHand)).toBe('Mum of Ada');
    expect(await nameOn(later)).toBe('A.');
  });

  it('is set with another client, and removed without one', async () => {
    const [ada, bo] = await Promise.all([register('Ada'), register('Bo')]);
    const visit = await book(ada.id);
    await patch(practice, 'appointments', { id: visit.id, client_id: bo.id });
    expect(await nameOn(visit)).toBe('Bo');
    await patch(practice, 'appointments', { id: visit.id, client_id: null });
    expect(await nameOn(visit)).toBeNull();
  });
});
