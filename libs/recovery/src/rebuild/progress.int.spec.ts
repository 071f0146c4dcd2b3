// The progress of a rebuild as the running service exports it.

import { describe, it } from '@jest/globals';
import { adminDatabase, eventually, metric, stack } from '@practice/testing';
import { showProgress } from './progress.js';

const client = adminDatabase(stack().databaseUrl('finance_owner'));
const exported = (state: string) => metric('finance', 'practice_rebuild_practices', { state });
/** Whether this progress is exported. Other specs rebuild the service on the same server, so theirs may be exported for a while. */
const isExported = async (folded: number, all: number): Promise<boolean> =>
  (await exported('folded')) === folded && (await exported('all')) === all;

describe('the progress of a rebuild', () => {
  it('is one of the metrics of its service while the rebuild runs', async () => {
    const { text, values } = showProgress('finance', 7, 40);
    await client.query(text, values);
    await eventually('the progress is exported', () => isExported(7, 40));
    await client.query(`SET application_name = 'finance'`);
    await eventually('no progress is exported', () => isExported(0, 0));
  });
});
