// A whole row that was read is sent back. Its updated_at shows whether the record has changed since.

import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Database, Tables } from '@practice/client-types';
import type { SupabaseClient } from '@supabase/supabase-js';
import { signedUp } from './practice.js';

type Client = Tables<'clients'>;

let supabase: SupabaseClient<Database>;
beforeAll(async () => {
  supabase = (await signedUp()) as SupabaseClient<Database>;
});

const read = async (id: string): Promise<Client> => {
  const { data } = await supabase.from('clients').select().eq('id', id).single().throwOnError();
  return data;
};

async function registered(): Promise<Client> {
  const { data } = await supabase.from('clients').insert({ name: 'Ada' }).select().single().throwOnError();
  return data;
}

/** Sends a row back, in each way that supabase-js has. */
const ways = {
  update: (row: Client) => supabase.from('clients').update(row).eq('id', row.id).select().single(),
  upsert: (row: Client) => supabase.from('clients').upsert(row).select().single(),
};

describe.each(Object.entries(ways))('%s with a row that was read', (_, send) => {
  it('is accepted while the record is unchanged, and sets the columns that differ', async () => {
    const row = await registered();
    expect(await send({ ...row, phone: '1' })).toMatchObject({
      status: 200,
      data: { name: 'Ada', phone: '1' },
    });
    expect((await send(await read(row.id))).data).toEqual(await read(row.id));
  });

  it('is refused with 412 once the record has changed, with the changes since', async () => {
    const row = await registered();
    await supabase.from('clients').update({ name: 'Grace' }).eq('id', row.id).throwOnError();
    await supabase.from('clients').update({ phone: '1' }).eq('id', row.id).throwOnError();
    const answer = await send({ ...row, email: 'ada@example.com' });
    expect(answer).toMatchObject({
      status: 412,
      error: { code: 'PM006', hint: 'Reload the record and retry.' },
    });
    expect(answer.error?.details).toMatch(
      /^ClientRenamed at \d{4}-\d\d-\d\dT\S+: name\. ClientContactChanged at \S+: phone\.$/,
    );
    expect(await read(row.id)).toMatchObject({ name: 'Grace', phone: '1', email: null });
    expect((await send({ ...(await read(row.id)), email: 'ada@example.com' })).error).toBeNull();
  });

  it('is refused even if the row would change nothing', async () => {
    const row = await registered();
    await supabase.from('clients').update({ name: 'Grace' }).eq('id', row.id).throwOnError();
    await supabase.from('clients').update({ name: 'Ada' }).eq('id', row.id).throwOnError();
    expect(await send(row)).toMatchObject({ status: 412, error: { code: 'PM006' } });
  });

  it('must have the id and the created_at of the record', async () => {
    const row = await registered();
    const other = await send({ ...row, created_at: '2020-01-01T00:00:00+00:00' });
    expect(other).toMatchObject({ status: 400, error: { code: '428C9' } });
  });
});

describe('a row that was read', () => {
  it('is not created again by an upsert if the record was deleted since', async () => {
    const row = await registered();
    await supabase.from('clients').delete().eq('id', row.id).throwOnError();
    const answer = await ways.upsert(row);
    expect(answer).toMatchObject({ status: 412, error: { code: 'PM006' } });
    expect(answer.error?.details).toMatch(/^ClientDeleted at/);
    const { updated_at: _, ...copy } = row;
    expect((await supabase.from('clients').upsert(copy)).status).toBe(201);
  });

  it('stops a bulk upsert as a whole, and the refusal names the row', async () => {
    const [one, two] = [await registered(), await registered()];
    await supabase.from('clients').update({ phone: '2' }).eq('id', two.id).throwOnError();
    const rows = [one, two].map((row) => ({ ...row, name: 'Changed' }));
    const { error, status } = await supabase.from('clients').upsert(rows);
    expect([status, error?.code]).toEqual([412, 'PM006']);
    expect(error?.details).toMatch(/^Record at index 1: ClientContactChanged at/);
    expect((await read(one.id)).name).toBe('Ada');
  });
});
