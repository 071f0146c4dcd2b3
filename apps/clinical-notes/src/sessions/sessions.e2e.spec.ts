import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { find, make, newPractice, patch, remove, slot } from '@practice/testing';
import type { Answer, Made, Practice } from '@practice/testing';

let practice: Practice;
let slots = 0;

beforeAll(async () => {
  practice = await newPractice();
});

const register = (name = 'Ada'): Promise<Made> => make(practice, 'clients', { name });
const book = (client: Made | null): Promise<Made> =>
  make(practice, 'appointments', { ...slot(slots++), client_id: client?.id ?? null, status: 'completed' });
const write = (client: { id: string }, more: object = {}): Promise<Answer> =>
  practice.rest('sessions', { method: 'POST', body: { client_id: client.id, plan: 'rest', ...more } });
const noSuchRecord = { status: 409, json: { code: '23503' } };

describe('a session note', () => {
  it('can be written for a client and an appointment that were just created, a hundred times', async () => {
    const oneAfterAnother = async (): Promise<void> => {
      for (let index = 0; index < 25; index += 1) {
        const ada = await register();
        const visit = await book(ada);
        expect((await write(ada, { appointment_id: visit.id })).status).toBe(201);
      }
    };
    await Promise.all([1, 2, 3, 4].map(oneAfterAnother));
  });

  it('reads as it was written, and can be amended and deleted', async () => {
    const ada = await register();
    const texts = { subjective: 'S', objective: 'O', assessment: 'A', plan: 'P' };
    const note = await make(practice, 'sessions', { client_id: ada.id, ...texts });
    expect(note).toMatchObject({ client_id: ada.id, appointment_id: null, ...texts });
    await patch(practice, 'sessions', { id: note.id, plan: null, objective: 'O2' });
    expect(await find(practice, 'sessions', note.id)).toMatchObject({ plan: null, objective: 'O2' });
    expect((await remove(practice, 'sessions', note.id)).status).toBe(204);
    expect(await find(practice, 'sessions', note.id)).toBeUndefined();
  });

  it('is refused with the same error for unknown records and for records of another practice', async () => {
    const other = await newPractice();
    const stranger = await make(other, 'clients', { name: 'Stranger' });
    const theirs = await make(other, 'appointments', { ...slot(0) });
    const refused = async (id: string, body: object): Promise<string> => {
      const answer = await practice.rest('sessions', { method: 'POST', body });
      expect(answer).toMatchObject(noSuchRecord);
      return answer.text.replaceAll(id, 'ID');
    };
    const [ada, nobody] = [await register(), randomUUID()];
    expect(await refused(stranger.id, { client_id: stranger.id })).toBe(
      await refused(nobody, { client_id: nobody }),
    );
    expect(await refused(theirs.id, { client_id: ada.id, appointment_id: theirs.id })).toBe(
      await refused(nobody, { client_id: ada.id, appointment_id: nobody }),
    );
  });

  it('cannot belong to the appointment of another client', async () => {
    const [ada, bo] = [await register(), await register('Bo')];
    const [hers, nobodys] = [await book(ada), await book(null)];
    expect(await write(bo, { appointment_id: hers.id })).toMatchObject(noSuchRecord);
    expect((await write(bo, { appointment_id: nobodys.id })).status).toBe(201);
    const note = await make(practice, 'sessions', { client_id: ada.id, appointment_id: hers.id });
    const moved = await practice.rest(`sessions?id=eq.${note.id}`, {
      method: 'PATCH',
      body: { client_id: bo.id },
    });
    expect(moved).toMatchObject(noSuchRecord);
  });

  it('can be written for the current client of the appointment right after a change of the client', async () => {
    const [ada, bo] = [await register(), await register('Bo')];
    const visit = await book(ada);
    for (const client of [bo, ada, bo, ada, bo, ada]) {
      await patch(practice, 'appointments', { id: visit.id, client_id: client.id });
      expect((await write(client, { appointment_id: visit.id })).status).toBe(201);
    }
  });

  it('prevents the deletion of its client and its appointment as soon as it is written', async () => {
    const ada = await register();
    const visit = await book(ada);
    const note = await make(practice, 'sessions', { client_id: ada.id, appointment_id: visit.id });
    expect(await remove(practice, 'appointments', visit.id)).toMatchObject(noSuchRecord);
    expect(await remove(practice, 'clients', ada.id)).toMatchObject(noSuchRecord);
    expect((await remove(practice, 'sessions', note.id)).status).toBe(204);
    expect((await remove(practice, 'appointments', visit.id)).status).toBe(204);
    expect((await remove(practice, 'clients', ada.id)).status).toBe(204);
  });
});
