import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import type { PublishedEvent } from '@practice/bus';
import { Troubles } from '@practice/process';
import { MissingEvents } from './missing-events.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const event = {
  ...{ service: 'scheduling', aggregate: 'appointment', streamId: 'one', version: 3 },
} as unknown as PublishedEvent;

it('a trouble that was not overcome here ends after a while, because another process may have overcome it', async () => {
  const troubles = new Troubles();
  const requester = {
    request: () => Promise.reject(new Error('the owner is away')),
    giveUp: () => undefined,
    inFlight: () => 0,
    close: () => undefined,
  };
  const missing = new MissingEvents(requester, { logger: { warn: () => undefined }, troubles });
  await expect(missing.before(event, 1, async () => undefined)).rejects.toThrow('unavailable');
  jest.advanceTimersByTime(30_000);
  expect(troubles.all()).toMatchObject([{ place: 'follower of scheduling' }]);
  jest.advanceTimersByTime(30_000);
  expect(troubles.all()).toEqual([]);
});
