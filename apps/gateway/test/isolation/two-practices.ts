// Two practices with records of every kind. One attacks; the other must not change, and none of its data may be shown.

import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { catalog } from '@practice/contracts';
import type { Resource } from '@practice/resource';
import { answered, makeAll, newPractice, type Answer, type Practice } from '@practice/testing';
import { inOrder, rowOf, type Ids } from './rows.js';
import { furtherRecords } from './ruled-rows.js';

export type TwoPractices = Awaited<ReturnType<typeof twoPractices>>;

const RECORDS = 2;

export async function twoPractices(origin?: string) {
  const [mine, other] = await Promise.all([sideOf(origin), sideOf(origin)]);
  const texts = [other.mark, other.practice.email];
  const seesNone =
    (secrets: readonly string[]) =>
    ({ text, headers }: Answer, said: string): void => {
      const shown = `${text}\n${JSON.stringify([...headers])}`;
      expect(secrets.filter((secret) => shown.includes(secret) && !said.includes(secret))).toEqual([]);
    };
  return {
    mine,
    other,
    /** All records of the other practice, as it reads them itself. */
    theirs: async () => {
      const read = (name: string) => answered(name, () => other.practice.rest(`${name}?order=id`));
      const tables = await Promise.all([...catalog.resources.keys()].map(read));
      return tables.map(({ text }) => text).join('\n');
    },
    /** Fails if an answer contains an id or text of the other practice that the request did not contain. */
    seesNothing: seesNone([...texts, other.practice.therapistId, ...Object.values(other.ids).flat()]),
    /** Fails if an answer contains text of the other practice. Ids are not checked, as the attacker may have stored them in its own records. */
    seesNoText: seesNone(texts),
  };
}

async function sideOf(origin?: string) {
  const practice = await newPractice(origin);
  return { practice, ...(await filled(practice)) };
}

/** Makes records of every resource. The mark is a part of every text in them, and of no text in another practice's records. */
export async function filled(practice: Practice) {
  const mark = `mark ${randomUUID()}`;
  const ids: Record<string, readonly string[]> = {};
  for (const resource of inOrder()) {
    ids[resource.name] = await fill(resource, practice, { ids, mark });
    Object.assign(ids, await furtherRecords(practice, resource.name, ids));
  }
  return { mark, ids };
}

async function fill(
  resource: Resource,
  practice: Practice,
  given: { ids: Ids; mark: string },
): Promise<string[]> {
  const rows = Array.from({ length: RECORDS }, (_, index) => rowOf(resource, index, given));
  const made = await makeAll(practice, `${resource.name}?select=id`, rows);
  return made.map(({ id }) => id);
}
