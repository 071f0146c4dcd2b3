// The progress of a rebuild, as the running service sees and exports it.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { metric, stack } from '@practice/testing';
import pg from 'pg';
import { showProgress } from './progress.js';

const client = new pg.Client({ connectionString: stack().databaseUrl('finance_owner') });
const exported = (state: string) => metric('finance', 'practice_rebuild_practices', { state });

beforeAll(() => client.connect());
afterAll(() => client.end());

describe('the progress of a rebuild', () => {
  it('is among the metrics of its service while the rebuild runs', async () => {
    const { text, values } = showProgress('finance', 7, 40);
    await client.query(text, values);
    expect([await exported('folded'), await exported('all')]).toEqual([7, 40]);
    await client.query(`SET application_name = 'finance'`);
    expect([await exported('folded'), await exported('all')]).toEqual([0, 0]);
  });
});
