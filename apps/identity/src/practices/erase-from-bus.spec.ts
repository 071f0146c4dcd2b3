import { afterEach, expect, it, jest } from '@jest/globals';
import { createLogger } from '@practice/process';
import type { CrossTenantConnection } from '@practice/storage';
import type { OtherServices } from '../notices/other-services.js';
import { EraseFromBus } from './erasure.controller.js';

afterEach(() => {
  jest.useRealTimers();
});

it('an erased practice that waits for a service does not delay other practices', async () => {
  jest.useFakeTimers();
  const asked: string[] = [];
  const crossTenant = { run: () => Promise.resolve([['waiting'], ['other']]) };
  const services = {
    hasErased: (_service: string, practice: string) => {
      asked.push(practice);
      return practice === 'waiting' ? new Promise(() => undefined) : Promise.resolve(false);
    },
  };
  const erasing = new EraseFromBus(
    crossTenant as unknown as CrossTenantConnection,
    services as unknown as OtherServices,
    createLogger('spec', 'silent'),
  );
  await erasing.onApplicationBootstrap();
  await jest.advanceTimersByTimeAsync(4_500);
  erasing.onApplicationShutdown();
  expect(asked).toEqual(['waiting', 'other', 'other']);
});
