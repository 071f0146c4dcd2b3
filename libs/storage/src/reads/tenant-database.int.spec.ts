import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { scratchDatabase, wireTo } from '@practice/testing';
import { openPool } from '../connections/pool.js';
import { TenantDatabase } from './tenant-database.js';

it('a database that cannot be reached yet is awaited, and a wrong password is an error at once', async () => {
  const scratch = await scratchDatabase();
  const wire = await wireTo(scratch.url);
  const databaseAt = (url: string): TenantDatabase => {
    const pool = openPool({ service: 'clients', url, connections: 5, onError: () => undefined });
    return new TenantDatabase('clients', pool, { connections: 1, statementMs: 1000 });
  };
  const wrong = new URL(scratch.url);
  wrong.password = 'wrong';
  const [database, refused] = [databaseAt(wire.url), databaseAt(wrong.href)];
  wire.cut();
  const answers = database.answers();
  await expect(refused.answers()).rejects.toMatchObject({ code: '28P01' });
  await pause(300);
  wire.restore();
  await expect(answers).resolves.toBeUndefined();
  await Promise.all([database.close(), refused.close()]);
  await wire.close();
  await scratch.drop();
});
