// Attacks on every resource, with every method, in every place. They run against the unchanged system and against services without filters.

import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Resource } from '@practice/resource';
import { patient, rowsOf, type Answer } from '@practice/testing';
import { namingPractice, namingRecord, namingReference, type Attack, type Names } from './attacks.js';
import { creatable, referredTo, rowOf } from './rows.js';
import { twoPractices, type TwoPractices } from './two-practices.js';

const resources = creatable;

/** @param origin the origin of the gateway, which is known once the specs run */
export function isolationMatrix(origin: () => string | undefined): void {
  let stage: Stage;
  beforeAll(async () => {
    const two = await twoPractices(origin());
    const before = await two.theirs();
    expect(before.split(two.other.mark).length).toBeGreaterThan(resources.length);
    stage = { two, before };
  });

  describe.each(resources.map((resource) => [resource.name, resource] as const))('%s', (_name, resource) => {
    it('is forbidden if any place of a request names another practice', async () => {
      await attackByPractice(stage, resource);
    });

    it('of another practice is treated like a record that does not exist', async () => {
      await attackByRecord(stage, resource);
    });

    it('with an id that another practice uses is either stored or refused', async () => {
      await shareId(stage, resource);
    });

    it('has the same records in the other practice after the attacks', async () => {
      expect(await stage.two.theirs()).toBe(stage.before);
    });
  });
}

interface Stage {
  readonly two: TwoPractices;
  /** The records of the other practice before the attacks. They must be the same afterwards. */
  readonly before: string;
}

async function attackByPractice({ two }: Stage, resource: Resource): Promise<void> {
  const therapistId = two.other.practice.therapistId;
  for (const attack of namingPractice(resource, therapistId, namesOf(two, resource, ''))) {
    const { status, json } = await send(two, resource, attack);
    const isRefused = status === 403 || (status === 405 && resource.appendOnly === true);
    expect([attack.name, status, isRefused]).toEqual([attack.name, status, true]);
    if (status === 403 && attack.method !== 'HEAD') expect(json).toMatchObject({ code: '42501' });
  }
}

async function attackByRecord({ two }: Stage, resource: Resource): Promise<void> {
  const foreign = idOf(two, 'other', resource.name);
  await sameAsAbsent(two, resource, { foreign, attacks: namingRecord });
  for (const name of new Set([resource.name, ...referredTo(resource)]))
    await sameAsAbsent(two, resource, { foreign: idOf(two, 'other', name), attacks: namingReference });
}

interface Compared {
  /** The id of a record of the other practice. */
  readonly foreign: string;
  readonly attacks: (resource: Resource, names: Names) => Attack[];
}

async function sameAsAbsent(
  two: TwoPractices,
  resource: Resource,
  { foreign, attacks }: Compared,
): Promise<void> {
  const nobodys = randomUUID();
  const absent = attacks(resource, namesOf(two, resource, nobodys));
  for (const [index, attack] of attacks(resource, namesOf(two, resource, foreign)).entries()) {
    const seen = told(await send(two, resource, attack), foreign);
    const expected = told(await send(two, resource, absent[index] as Attack), nobodys);
    expect([attack.name, seen]).toEqual([attack.name, expected]);
  }
}

async function shareId({ two }: Stage, resource: Resource): Promise<void> {
  const foreign = idOf(two, 'other', resource.name);
  const body = { ...rowOf(resource, 6, { ids: two.mine.ids, mark: 'own' }), id: foreign };
  const merging = { prefer: 'resolution=merge-duplicates' };
  const ways: Attack[] = [
    { name: 'POST', method: 'POST', query: '', body },
    { name: 'upsert', method: 'POST', query: '', body, headers: merging },
    { name: 'PUT', method: 'PUT', query: `id=eq.${foreign}`, body },
  ];
  const query = `id=eq.${foreign}`;
  for (const way of resource.appendOnly === true ? ways.slice(0, 1) : ways) {
    const { status, text } = await send(two, resource, way);
    // The id of an app is its public client_id, which is unique across all practices.
    if (resource.name === 'oauth_clients') {
      expect([way.name, status]).toEqual([way.name, 403]);
      continue;
    }
    expect([way.name, status < 300, text]).toEqual([way.name, true, '']);
    const counted = await rowsOf(two.mine.practice, `${resource.name}?${query}&select=count`);
    expect(counted).toEqual([{ count: 1 }]);
    await send(two, resource, { name: 'DELETE', method: 'DELETE', query });
  }
}

const idOf = (two: TwoPractices, side: 'mine' | 'other', name: string): string =>
  two[side].ids[name]?.[0] as string;

const namesOf = (two: TwoPractices, resource: Resource, foreign: string): Names => ({
  me: two.mine.practice.therapistId,
  own: idOf(two, 'mine', resource.name),
  foreign,
  ids: two.mine.ids,
});

async function send(two: TwoPractices, { name }: Resource, attack: Attack): Promise<Answer> {
  const { method, query, body, headers = {} } = attack;
  const given = { method, headers, ...(body !== undefined && { body }) };
  return patient(async () => {
    const answer = await two.mine.practice.rest(`${name}?${query}`, given);
    two.seesNothing(answer, `${query} ${JSON.stringify(body)}`);
    return answer;
  });
}

/** The contents of a response, without the id that was requested and without times. */
function told({ status, headers, text }: Answer, id: string): unknown {
  const shown = ['content-range', 'etag', 'location', 'preference-applied'].map((name) => headers.get(name));
  const plain = text.replaceAll(/"(updated_at|created_at)":"[^"]*"/g, '');
  return JSON.stringify([status, shown, plain]).replaceAll(id, 'ID');
}
