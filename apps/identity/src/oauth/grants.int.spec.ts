import { expect, it } from '@jest/globals';
import { newPractice, stack, withClient } from '@practice/testing';
import { endedGrants } from './grants.js';

it('a token of a grant is found by its id, also among more tokens than fit into a hash table', async () => {
  const { therapistId } = await newPractice();
  const tokens = `INSERT INTO identity.personal_tokens
      (user_id, id, therapist_id, name, token_hash, prefix, created_at, expires_at)
    SELECT $1, id, $1, 'x', id, 'x', now(), now() FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, 20000)) AS ids`;
  const plan = await withClient(stack().adminDatabaseUrl, async (client) => {
    await client.query('BEGIN');
    await client.query(tokens, [therapistId]);
    await client.query(`SET LOCAL work_mem = '64kB'`);
    await client.query('SET LOCAL ROLE identity_relay');
    const { text, values } = endedGrants;
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, [...values]);
    await client.query('ROLLBACK');
    return rows.map((row) => row['QUERY PLAN'].trim()).join('\n');
  });
  expect(plan).toMatch(/using personal_tokens_id_idx on personal_tokens t.*\n\s*Index Cond: \(id = g\.id\)/);
});
