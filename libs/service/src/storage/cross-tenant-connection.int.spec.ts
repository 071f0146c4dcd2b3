import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { scratchDatabase, wireTo } from '@practice/testing';
import type { ScratchDatabase, Wire } from '@practice/testing';
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

describe('the connection for what comes from the bus', () => {
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

  it('goes on after a statement that fails', async () => {
    await expect(run('SELECT 1 / 0')).rejects.toMatchObject({ code: '22012' });
    expect(await run('SELECT 2')).toEqual([['2']]);
  });
});
