// Two practices, each resource, each way to ask: nothing of the other is seen, changed or revealed.

import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { newPractice } from '@practice/testing';
import type { Answer, Practice } from '@practice/testing';

// A busy machine is slow, not wrong.
jest.setTimeout(60_000);

interface Case {
  readonly resource: string;
  /** A body that no other one is in the way of. */
  readonly body: (index: number) => Record<string, unknown>;
  readonly change: Record<string, unknown>;
}

const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const cases: Case[] = [
  {
    resource: 'appointments',
    body: (index) => ({
      date: `2031-01-0${index + 1}`,
      start_time: '09:00',
      end_time: '10:00',
      notes: 'secret',
    }),
    change: { notes: 'changed' },
  },
  {
    resource: 'service_menu',
    body: (index) => ({ name: `Secret ${index}`, duration: 50, price: 80 }),
    change: { price: 1 },
  },
  {
    resource: 'business_hours',
    body: (index) => ({ day_of_week: days[index], open_time: '09:00', close_time: '17:00' }),
    change: { close_time: '18:00' },
  },
];

const back = { prefer: 'return=representation' };
const counted = { prefer: 'count=exact' };

describe.each(cases)('$resource', ({ resource, body, change }) => {
  let mine: Practice;
  let other: Practice;
  let own: string;
  let foreign: string;
  let before: string;

  const ask = (
    method: string,
    filter: string,
    given: { body?: unknown; headers?: Record<string, string> } = {},
  ) => mine.rest(`${resource}?${filter}`, { method, headers: back, ...given });
  const theirs = async (): Promise<string> => (await other.rest(`${resource}?order=id`)).text;
  const idsOf = ({ json }: Answer): unknown[] => (json as { id: string }[]).map(({ id }) => id);

  beforeAll(async () => {
    [mine, other] = await Promise.all([newPractice(), newPractice()]);
    const [one, two] = await Promise.all(
      [mine, other].map((practice) =>
        practice.rest(resource, { method: 'POST', body: body(0), headers: back }),
      ),
    );
    [own, foreign] = [String(idsOf(one as Answer)[0]), String(idsOf(two as Answer)[0])];
    before = await theirs();
  });

  it.each([
    ['everything', () => 'select=*', () => [own]],
    ['the id', () => `id=eq.${foreign}`, () => []],
    ['both ids', () => `id=in.(${own},${foreign})`, () => [own]],
    ['an or', () => `or=(id.eq.${foreign},id.eq.${own})`, () => [own]],
    ['a nested or', () => `or=(and(id.eq.${foreign}),not.and(id.neq.${foreign}))`, () => []],
    ['what is not its own', () => `id=neq.${own}`, () => []],
    ['the own practice', () => `therapist_id=eq.${mine.therapistId}`, () => [own]],
  ])('reads only its own by %s', async (_, filter, expected) => {
    const answer = await ask('GET', filter(), { headers: counted });
    expect(answer.status).toBe(200);
    expect(idsOf(answer)).toEqual(expected());
    expect(answer.headers.get('content-range')).toMatch(new RegExp(`/${expected().length}$`));
    const head = await ask('HEAD', filter(), { headers: counted });
    expect(head.headers.get('content-range')).toBe(answer.headers.get('content-range'));
  });

  it('counts only its own', async () => {
    expect((await ask('GET', 'select=count()')).json).toEqual([{ count: 1 }]);
  });

  const naming = [
    ['a filter', () => `therapist_id=eq.${other.therapistId}`],
    ['a list', () => `therapist_id=in.(${mine.therapistId},${other.therapistId})`],
    ['a negation', () => `therapist_id=not.eq.${other.therapistId}`],
    ['an or', () => `or=(id.eq.${own},therapist_id.eq.${other.therapistId})`],
    ['a nested and', () => `or=(id.eq.${own},and(therapist_id.eq.${other.therapistId.toUpperCase()}))`],
  ] as const;

  describe.each(naming)('named in %s', (_, filter) => {
    it.each(['GET', 'HEAD', 'PATCH', 'DELETE'])('the other practice is forbidden to %s', async (method) => {
      const { status, json } = await ask(method, filter(), method === 'PATCH' ? { body: change } : {});
      expect(status).toBe(403);
      if (method !== 'HEAD') expect(json).toMatchObject({ code: '42501' });
    });
  });

  it('creates nothing for the other', async () => {
    const given = { ...body(1), therapist_id: other.therapistId };
    for (const wish of [given, [{ ...body(2), therapist_id: mine.therapistId }, given]]) {
      expect(await ask('POST', '', { body: wish })).toMatchObject({ status: 403, json: { code: '42501' } });
    }
    expect(idsOf(await ask('GET', 'select=id'))).toEqual([own]);
  });

  it('gives nothing of its own away', async () => {
    const given = { therapist_id: other.therapistId };
    expect(await ask('PATCH', `id=eq.${own}`, { body: given })).toMatchObject({
      status: 403,
      json: { code: '42501' },
    });
  });

  it('changes and deletes nothing of the other, and is answered as if it were not there', async () => {
    for (const id of [foreign, randomUUID()]) {
      const changed = await ask('PATCH', `id=eq.${id}`, { body: change, headers: counted });
      expect([changed.status, changed.headers.get('content-range')]).toEqual([204, '*/0']);
      const deleted = await ask('DELETE', `id=eq.${id}`, { headers: counted });
      expect([deleted.status, deleted.headers.get('content-range')]).toEqual([204, '*/0']);
    }
    const both = await ask('PATCH', `or=(id.eq.${foreign},id.eq.${own})`, { body: change });
    expect(idsOf(both)).toEqual([own]);
    expect(await theirs()).toBe(before);
  });

  it('may use the id that the other uses, and neither notices', async () => {
    const created = await ask('POST', '', { body: { ...body(3), id: foreign } });
    expect(created.status).toBe(201);
    expect(await theirs()).toBe(before);
    expect((await ask('DELETE', `id=eq.${foreign}`)).status).toBe(200);
    expect(await theirs()).toBe(before);
  });
});

describe('a reference', () => {
  it('to a record of another practice is one to a record there is not', async () => {
    const [mine, other] = await Promise.all([newPractice(), newPractice()]);
    const id = randomUUID();
    await other.rest('service_menu', {
      method: 'POST',
      body: { id, name: 'Massage', duration: 50, price: 80 },
    });
    const slot = { date: '2031-01-01', start_time: '09:00', end_time: '10:00' };
    const refusals = await Promise.all(
      [id, randomUUID()].map((service) =>
        mine
          .rest('appointments', { method: 'POST', body: { ...slot, service_id: service } })
          .then(({ status, text }) => [status, text.replaceAll(service, '…')]),
      ),
    );
    expect(refusals[0]).toEqual(refusals[1]);
    expect(refusals[0]?.[0]).toBe(409);
  });
});
