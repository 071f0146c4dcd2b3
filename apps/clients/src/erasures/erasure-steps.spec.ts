import { afterEach, expect, it, jest } from '@jest/globals';
import { createLogger } from '@practice/process';
import type { ErasedParts } from '@practice/privacy';
import type { CrossTenantConnection, TenantDatabase } from '@practice/storage';
import type { RecordTransactions } from '@practice/write';
import { ErasureSteps } from './erasure-steps.js';
import type { OtherServices } from './other-services.js';

const logger = createLogger('spec', 'silent');

afterEach(() => {
  jest.useRealTimers();
});

it('an erasure that waits for a service does not delay other erasures', async () => {
  jest.useFakeTimers();
  const asked: string[] = [];
  const erasure = JSON.stringify({ status: 'running', services: { finance: { status: 'running' } } });
  const database = { service: 'clients', reads: { run: () => Promise.resolve([[erasure]]) } };
  const crossTenant = { run: () => Promise.resolve(['waiting', 'other'].map((id) => [id, id])) };
  const others = {
    erasedPart: (_service: string, practice: string) => {
      asked.push(practice);
      return practice === 'waiting' ? new Promise(() => undefined) : Promise.resolve(null);
    },
  };
  const steps = new ErasureSteps(
    database as unknown as TenantDatabase,
    crossTenant as unknown as CrossTenantConnection,
    {} as RecordTransactions,
    {} as ErasedParts,
    others as unknown as OtherServices,
    logger,
  );
  steps.onApplicationBootstrap();
  await jest.advanceTimersByTimeAsync(600);
  steps.onApplicationShutdown();
  expect(asked).toEqual(['waiting', 'other', 'other']);
});
