import { afterEach, expect, it, jest } from '@jest/globals';
import { createLogger } from '@practice/process';
import type { CrossTenantConnection } from '@practice/storage';
import type { Grants } from './grants.js';
import { GrantSweep } from './grant-sweep.js';

afterEach(() => {
  jest.useRealTimers();
});

it('a grant that cannot be ended does not delay the others', async () => {
  jest.useFakeTimers();
  const tried: string[] = [];
  const crossTenant = { run: () => Promise.resolve(['stuck', 'other'].map((id) => ['practice', id])) };
  const endIn = (practice: string, id: string): Promise<void> => {
    tried.push(`${practice} ${id}`);
    return id === 'stuck' ? Promise.reject(new Error('refused')) : Promise.resolve();
  };
  const sweep = new GrantSweep(
    crossTenant as unknown as CrossTenantConnection,
    { endIn } as unknown as Grants,
    createLogger('spec', 'silent'),
  );
  await sweep.onApplicationBootstrap();
  await jest.advanceTimersByTimeAsync(5_500);
  sweep.onApplicationShutdown();
  expect(tried).toEqual(['practice stuck', 'practice other']);
});
