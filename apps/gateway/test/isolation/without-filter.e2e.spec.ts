// Tests only row-level security: services whose statements do not filter by practice, with their own roles in their own processes.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { accessOf, type Resource } from '@practice/resource';
import { answered, ownStack, type OwnStack } from '@practice/testing';
import pg from 'pg';
import { isolationMatrix } from './matrix.js';
import { randomAttacks } from './random-attacks.js';
import { creatable } from './rows.js';
import { twoPractices } from './two-practices.js';

const mutation = pathToFileURL(join(import.meta.dirname, 'without-filter.mjs'));
const resources = creatable;
const services = [...new Set(resources.map(({ service }) => service))];

let own: OwnStack;
let admin: pg.Client;
let origin: string;

beforeAll(async () => {
  own = await ownStack();
  admin = new pg.Client({ connectionString: own.adminDatabaseUrl });
  await admin.connect();
  const started = await Promise.all([
    own.start('gateway'),
    ...services.map((service) => own.start(service, { NODE_OPTIONS: `--import=${mutation.href}` })),
  ]);
  origin = started[0]?.origin ?? '';
});
afterAll(async () => {
  await admin.end();
  await own.stop();
});

const tableOf = ({ service, name }: Resource): string => `${service.replaceAll('-', '_')}.${name}`;
const security = (state: 'enable' | 'disable'): Promise<unknown> =>
  Promise.all(
    resources.map((resource) => admin.query(`alter table ${tableOf(resource)} ${state} row level security`)),
  );

describe('without their own filter', () => {
  it('services still hide other practices, by row-level security', async () => {
    const { mine, other } = await twoPractices(origin);
    const seen = async (): Promise<string[]> => {
      const answers = await Promise.all(
        resources.map(({ name }) => answered(name, () => mine.practice.rest(`${name}?limit=1000`))),
      );
      return resources.flatMap(({ name }, index) =>
        answers[index]?.text.includes(other.ids[name]?.[0] ?? '?') ? [name] : [],
      );
    };
    expect(await seen()).toEqual([]);
    await security('disable');
    try {
      // The other resources are also filtered by the caller's id.
      const byPractice = resources.filter((resource) => accessOf(resource, 'owner').of === undefined);
      expect(await seen()).toEqual(byPractice.map(({ name }) => name));
    } finally {
      await security('enable');
    }
    expect(await seen()).toEqual([]);
  });

  isolationMatrix(() => origin);
  randomAttacks(() => origin, 150);
});
