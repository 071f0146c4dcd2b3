// The matrix: every resource, every method, every place. Run against the system as it is, and against one without filters.

import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { catalog } from '@practice/contracts';
import type { Resource } from '@practice/resource';
import type { Answer } from '@practice/testing';
import { namingPractice, namingRecord } from './attacks.js';
import type { Attack, Names } from './attacks.js';
import { rowOf } from './rows.js';
import { twoPractices } from './two-practices.js';
import type { TwoPractices } from './two-practices.js';

const resources = [...catalog.resources.values()];

/** @param origin of the gateway, known once the specs run */
export function isolationMatrix(origin: () => string | undefined): void {
  let two: TwoPractices;
  let before: string;
  beforeAll(async () => {
    two = await twoPractices(origin());
    before = await two.theirs();
    expect(before.split(two.other.mark).length).toBeGreaterThan(resources.length);
  }, 60_000);

  const idOf = (resource: Resource, side: 'mine' | 'other'): string =>
    two[side].ids[resource.name]?.[0] as string;
  const namesOf = (resource: Resource, foreign: string): Names => ({
    me: two.mine.practice.therapistId,
    own: idOf(resource, 'mine'),
    foreign,
    ids: two.mine.ids,
  });
  const send = async (resource: Resource, { method, query, body, headers = {} }: Attack): Promise<Answer> => {
    const answer = await two.mine.practice.rest(`${resource.name}?${query}`, {
      method,
      headers,
      ...(body !== undefined && { body }),
    });
    two.seesNothing(answer, `${query} ${JSON.stringify(body)}`);
    return answer;
  };

  describe.each(resources.map((resource) => [resource.name, resource] as const))('%s', (_name, resource) => {
    it('is forbidden in the name of another practice, wherever that stands', async () => {
      for (const attack of namingPractice(resource, two.other.practice.therapistId, namesOf(resource, ''))) {
        const { status, json } = await send(resource, attack);
        const isRefused = status === 403 || (status === 405 && resource.appendOnly === true);
        expect([attack.name, status, isRefused]).toEqual([attack.name, status, true]);
        if (status === 403 && attack.method !== 'HEAD') expect(json).toMatchObject({ code: '42501' });
      }
      expect(await two.theirs()).toBe(before);
    }, 60_000);

    it('of another practice is as one there is not', async () => {
      const named = [...new Set([idOf(resource, 'other'), ...foreignOf(resource)])];
      for (const foreign of named) {
        const nobodys = randomUUID();
        const absent = namingRecord(resource, namesOf(resource, nobodys));
        for (const [index, attack] of namingRecord(resource, namesOf(resource, foreign)).entries()) {
          const seen = told(await send(resource, attack), foreign);
          const expected = told(await send(resource, absent[index] as Attack), nobodys);
          expect([attack.name, seen]).toEqual([attack.name, expected]);
        }
      }
      expect(await two.theirs()).toBe(before);
    }, 60_000);

    it('may have the id that another practice uses, and neither notices', async () => {
      const foreign = idOf(resource, 'other');
      const row = { ...rowOf(resource, 6, { ids: two.mine.ids, mark: 'own' }), id: foreign };
      const ways: Attack[] = [
        { name: 'POST', method: 'POST', query: '', body: row },
        {
          name: 'upsert',
          method: 'POST',
          query: '',
          body: row,
          headers: { prefer: 'resolution=merge-duplicates' },
        },
        { name: 'PUT', method: 'PUT', query: `id=eq.${foreign}`, body: row },
      ];
      for (const way of resource.appendOnly === true ? ways.slice(0, 1) : ways) {
        const { status, text } = await send(resource, way);
        expect([way.name, status < 300, text]).toEqual([way.name, true, '']);
        expect((await two.mine.practice.rest(`${resource.name}?id=eq.${foreign}&select=count`)).json).toEqual(
          [{ count: 1 }],
        );
        if (resource.appendOnly === true) break;
        await send(resource, { name: 'DELETE', method: 'DELETE', query: `id=eq.${foreign}` });
      }
      expect(await two.theirs()).toBe(before);
    }, 60_000);
  });

  /** Records of the other that the resource's references could name. */
  const foreignOf = ({ name }: Resource): string[] =>
    catalog.relations.filter(({ from }) => from === name).map(({ to }) => two.other.ids[to]?.[0] as string);
}

/** What an answer says, but for which id was asked for and when. */
function told({ status, headers, text }: Answer, id: string): unknown {
  const shown = ['content-range', 'etag', 'location', 'preference-applied'].map((name) => headers.get(name));
  const plain = text.replaceAll(/"(updated_at|created_at)":"[^"]*"/g, '');
  return JSON.stringify([status, shown, plain]).replaceAll(id, 'ID');
}
