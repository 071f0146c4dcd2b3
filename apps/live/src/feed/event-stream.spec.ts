import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import type { PracticeFeed } from '@practice/feed';
import { EventStream } from './event-stream.js';

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] }));
afterEach(() => void jest.useRealTimers());

it('a stream that ends writes nothing more to a reader that takes no data', async () => {
  // Without a socket, as nothing leaves the response.
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  const errors: unknown[] = [];
  response.on('error', (error) => errors.push(error));
  const follow = () => ({ cursor: {}, stop: () => undefined });
  const stream = new EventStream(response, {
    feed: { follow } as unknown as PracticeFeed,
    therapistId: '',
    reader: { role: 'owner' },
    cursor: {},
    selects: () => true,
  });
  jest.advanceTimersByTime(14_500);
  stream.end();
  jest.advanceTimersByTime(600);
  await setImmediate();
  expect(errors).toEqual([]);
});
