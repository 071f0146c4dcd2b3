import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { eventually, find, make, newPractice, patch, remove, slot } from '@practice/testing';
import type { Made, Practice } from '@practice/testing';

let practice: Practice;
let slots = 0;

beforeAll(async () => {
  practice = await newPractice();
});

const register = (more: object = {}): Promise<Made> => make(practice, 'clients', { name: 'Ada', ...more });
const book = (client: Made | null, more: object = {}): Promise<Made> =>
  make(practice, 'appointments', { ...slot(slots++), client_id: client?.id ?? null, ...more });

const visitsOf = async ({ id }: Made): Promise<unknown> =>
  (await find(practice, 'clients', id))?.['total_visits'];
const untilVisits = (client: Made, count: number): Promise<unknown> =>
  eventually(`${count} visits are counted`, async () => (await visitsOf(client)) === count);

describe('total_visits', () => {
  it('follows an appointment through every change of status, client and time', async () => {
    const ada = await register({ total_visits: 10 });
    const visit = await book(ada);
    await patch(practice, 'appointments', { id: visit.id, status: 'completed' });
    await untilVisits(ada, 11);
    await patch(practice, 'appointments', { id: visit.id, status: 'confirmed' });
    await untilVisits(ada, 10);
    await patch(practice, 'appointments', { id: visit.id, status: 'completed' });
    await untilVisits(ada, 11);
    expect((await remove(practice, 'appointments', visit.id)).status).toBe(204);
    await untilVisits(ada, 10);
  });

  it('counts an appointment that is created as completed, and a whole import of completed appointments', async () => {
    const ada = await register();
    await book(ada, { status: 'completed' });
    const past = Array.from({ length: 40 }, () => ({
      ...slot(slots++),
      client_id: ada.id,
      status: 'completed',
    }));
    const answer = await practice.rest('appointments', { method: 'POST', body: past });
    expect(answer.status).toBe(201);
    await untilVisits(ada, 41);
  });

  it('moves to the other client when a completed appointment changes its client', async () => {
    const [ada, bo] = [await register(), await register({ name: 'Bo' })];
    const visit = await book(ada, { status: 'completed' });
    await untilVisits(ada, 1);
    await patch(practice, 'appointments', { id: visit.id, client_id: bo.id });
    await untilVisits(ada, 0);
    await untilVisits(bo, 1);
    await patch(practice, 'appointments', { id: visit.id, client_id: null });
    await untilVisits(bo, 0);
  });

  it('continues from a value that a caller has set', async () => {
    const ada = await register();
    await book(ada, { status: 'completed' });
    await untilVisits(ada, 1);
    await patch(practice, 'clients', { id: ada.id, total_visits: 100 });
    await book(ada, { status: 'completed' });
    await untilVisits(ada, 101);
  });

  it('never falls below 0, and the largest integer blocks no later event', async () => {
    const [low, high] = [await register(), await register({ total_visits: 2_147_483_647 })];
    const visit = await book(low, { status: 'completed' });
    await untilVisits(low, 1);
    await patch(practice, 'clients', { id: low.id, total_visits: 0 });
    expect((await remove(practice, 'appointments', visit.id)).status).toBe(204);
    await book(high, { status: 'completed' });
    await book(low, { status: 'completed' });
    await untilVisits(low, 1);
    expect(await visitsOf(high)).toBe(2_147_483_647);
  });
});

describe('a client that other records refer to', () => {
  const refusedFor = async (client: Made): Promise<unknown> => {
    const answer = await remove(practice, 'clients', client.id);
    const { code, hint } = answer.json as { code: string; hint: string };
    return { status: answer.status, code, hint };
  };
  const refusal = { status: 409, code: '23503', hint: expect.stringMatching(/archive/i) };

  it('cannot be deleted, not even right after the appointment was created', async () => {
    for (let round = 0; round < 5; round += 1) {
      const ada = await register();
      await book(ada, { status: 'cancelled' });
      expect(await refusedFor(ada)).toEqual(refusal);
    }
  });

  it('cannot be deleted right after a session note or an entry of the conversation was written', async () => {
    const noted = await register();
    await make(practice, 'sessions', { client_id: noted.id, plan: 'rest' });
    expect(await refusedFor(noted)).toEqual(refusal);
    const spoken = await register();
    await make(practice, 'conversation_log', { client_id: spoken.id, content: 'hello' });
    expect(await refusedFor(spoken)).toEqual(refusal);
  });

  it('can be archived, and can be deleted once nothing refers to it', async () => {
    for (let round = 0; round < 5; round += 1) {
      const ada = await register();
      const [visit, note] = [
        await book(ada),
        await make(practice, 'sessions', { client_id: ada.id, plan: 'rest' }),
      ];
      await patch(practice, 'clients', { id: ada.id, status: 'archived' });
      expect((await remove(practice, 'appointments', visit.id)).status).toBe(204);
      expect((await remove(practice, 'sessions', note.id)).status).toBe(204);
      expect(await remove(practice, 'clients', ada.id)).toMatchObject({ status: 204, text: '' });
    }
  });

  it('keeps all clients of the request if one of them is referred to', async () => {
    const [free, bound] = [await register({ name: 'Free' }), await register({ name: 'Bound' })];
    await book(bound, { status: 'cancelled' });
    const answer = await practice.rest(`clients?id=in.(${free.id},${bound.id})`, { method: 'DELETE' });
    expect(answer).toMatchObject({ status: 409, json: { code: '23503' } });
    expect(await find(practice, 'clients', free.id)).toBeDefined();
  });
});

describe('the conversation log', () => {
  it('accepts only clients of this practice, and reveals nothing about other practices', async () => {
    const stranger = await make(await newPractice(), 'clients', { name: 'Stranger' });
    const refused = async (id: string): Promise<string> => {
      const body = { client_id: id, content: 'hello' };
      const answer = await practice.rest('conversation_log', { method: 'POST', body });
      expect(answer).toMatchObject({ status: 409, json: { code: '23503' } });
      return answer.text.replaceAll(id, 'ID');
    };
    expect(await refused(stranger.id)).toBe(await refused(randomUUID()));
  });

  it.each(['PATCH', 'PUT', 'DELETE'])('takes no %s', async (method) => {
    const ada = await register();
    const entry = await make(practice, 'conversation_log', { client_id: ada.id, content: 'hello' });
    const body = method === 'DELETE' ? undefined : { ...entry, content: 'other' };
    const answer = await practice.rest(`conversation_log?id=eq.${entry.id}`, { method, body });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')?.split(/, ?/).sort()).toEqual([
      'GET',
      'HEAD',
      'OPTIONS',
      'POST',
      'QUERY',
    ]);
    expect(await find(practice, 'conversation_log', entry.id)).toEqual(entry);
  });

  it('stores the metadata of an entry, which is an object of at most 16 KiB', async () => {
    const { id } = await register();
    const entry = (metadata: unknown) => ({ client_id: id, content: 'hello', metadata });
    const metadata = { model: 'assistant', nested: { list: [1, null, 'ü'] } };
    expect(await make(practice, 'conversation_log', entry(metadata))).toMatchObject({ metadata });
    expect(await make(practice, 'conversation_log', { client_id: id, content: 'x' })).toMatchObject({
      metadata: {},
    });
    const largest = { text: 'x'.repeat(16_384 - '{"text":""}'.length) };
    expect(await make(practice, 'conversation_log', entry(largest))).toMatchObject({ metadata: largest });
    for (const refused of [[1], 'text', 7, true, { text: `${largest.text}x` }, { text: 'ü'.repeat(8_200) }]) {
      const answer = await practice.rest('conversation_log', { method: 'POST', body: entry(refused) });
      expect([answer.status, JSON.stringify(refused).slice(0, 20)]).toEqual([
        400,
        JSON.stringify(refused).slice(0, 20),
      ]);
    }
  });

  it.each([
    ['an unknown role', { role: 'stranger' }, '23514'],
    ['an unknown channel', { channel: 'pigeon' }, '23514'],
    ['no words', { content: '  ' }, '23514'],
    ['no content', { content: undefined }, '23502'],
  ])('refuses %s', async (_what, wrong, code) => {
    const { id } = await register();
    const body = { client_id: id, content: 'hello', ...wrong };
    const answer = await practice.rest('conversation_log', { method: 'POST', body });
    expect(answer).toMatchObject({ status: 400, json: { code } });
  });
});
