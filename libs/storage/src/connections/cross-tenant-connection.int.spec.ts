import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, scratchDatabase, wireTo, type ScratchDatabase, type Wire } from '@practice/testing';
import { CrossTenantConnection } from './cross-tenant-connection.js';

let scratch: ScratchDatabase;
let wire: Wire;
let crossTenant: CrossTenantConnection;

const run = (text: string): Promise<unknown> => crossTenant.run({ text, values: [] });

beforeAll(async () => {
  scratch = await scratchDatabase();
  wire = await wireTo(scratch.url);
  crossTenant = new CrossTenantConnection('clients', wire.url, () => undefined);
});

afterAll(async () => {
  await crossTenant.close();
  await wire.close();
  await scratch.drop();
});

describe('the connection across practices', () => {
  it('is replaced when it breaks in the middle of a statement, and the process goes on', async () => {
    await run('SELECT 1');
    const asked = run('SELECT pg_sleep(60)');
    // The connection exists, so the statement is sent at once.
    setImmediate(wire.cut);
    await expect(asked).rejects.toHaveProperty('message');
    wire.restore();
    await expect(run('SELECT pg_terminate_backend(pg_backend_pid())')).rejects.toMatchObject({
      code: '57P01',
    });
    expect(await run('SELECT 1')).toEqual([['1']]);
  });

  it('runs other statements beside a slow one', async () => {
    const slow = run('SELECT pg_sleep(60)').catch((error: unknown) => error);
    const isCancelled = async (): Promise<boolean> =>
      JSON.stringify(
        await run(`SELECT pg_cancel_backend(pid) FROM pg_stat_activity
          WHERE query = 'SELECT pg_sleep(60)' AND state = 'active' AND datname = current_database()`),
      ) === '[["t"]]';
    await eventually('the slow one is cancelled', isCancelled);
    expect(await slow).toMatchObject({ code: '57014' });
  });

  it('does not run a statement whose caller has stopped waiting', async () => {
    await expect(crossTenant.run({ text: 'SELECT 1 / 0', values: [] }, Date.now() - 1)).rejects.toMatchObject(
      { problem: { code: 'PM503' } },
    );
  });

  it('goes on after a statement that fails', async () => {
    await expect(run('SELECT 1 / 0')).rejects.toMatchObject({ code: '22012' });
    expect(await run('SELECT 2')).toEqual([['2']]);
  });
});
