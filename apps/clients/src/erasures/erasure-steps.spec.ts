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

it('an erasure that waits notes its progress once, although the logs of finished services grow', async () => {
  jest.useFakeTimers();
  let [position, notes] = [0, 0];
  let services: object = { clients: { status: 'running' }, finance: { status: 'running' } };
  const read = () => Promise.resolve([[JSON.stringify({ status: 'running', client_id: 'ada', services })]]);
  const run = (_: object, work: (transaction: object) => unknown) =>
    Promise.resolve(
      work({
        change: (_resource: unknown, _id: string, changes: { services: object }) => {
          notes += 1;
          ({ services } = changes);
        },
      }),
    );
  const steps = new ErasureSteps(
    { service: 'clients', reads: { run: read } } as unknown as TenantDatabase,
    { run: () => Promise.resolve([['practice', 'erasure']]) } as unknown as CrossTenantConnection,
    { run } as unknown as RecordTransactions,
    { read: () => Promise.resolve({ position: (position += 1) }) } as unknown as ErasedParts,
    { erasedPart: () => Promise.resolve(null) } as unknown as OtherServices,
    logger,
  );
  steps.onApplicationBootstrap();
  await jest.advanceTimersByTimeAsync(2_000);
  steps.onApplicationShutdown();
  expect(position).toBeGreaterThan(4);
  expect(notes).toBe(1);
});
