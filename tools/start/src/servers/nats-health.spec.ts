import { expect, it } from '@jest/globals';
import { natsHealth } from './nats-health.js';

const nowhere = 'nats://127.0.0.1:1';

it('a server whose disk was full counts as broken once, and again after the next full disk', async () => {
  const disk = { isLow: false, fullAt: 0 };
  const ask = natsHealth(nowhere, disk);
  await expect(ask()).rejects.toThrow();
  disk.fullAt = 1;
  expect(await ask()).toBe('broken');
  await expect(ask()).rejects.toThrow();
  disk.fullAt = 2;
  expect(await ask()).toBe('broken');
});

it('a server is not started again while its disk is full', async () => {
  expect(await natsHealth(nowhere, { isLow: true, fullAt: 1 })()).toBe('silent');
});
