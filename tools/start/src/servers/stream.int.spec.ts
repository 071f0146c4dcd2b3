import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { STREAM } from '@practice/contracts';
import {
  ADMIN,
  openConnection,
  openSecrets,
  prepareStream,
  readSettings,
  type Settings,
  stagesShownBy,
} from '@practice/operator';
import { emptyProcessTable } from '../processes/process-table.js';
import { wireTo } from '../faults/wire.js';
import { startBus } from './bus.js';

const dataDir = join(tmpdir(), `practice-stream-${randomUUID()}`);
const logDir = join(dataDir, 'logs');

afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

/** Starts the bus, uses a connection of its administrator, and stops it. */
async function inOneRun<T>(use: (url: string) => Promise<T>, given: Partial<Settings> = {}): Promise<T> {
  mkdirSync(logDir, { recursive: true });
  const settings = { ...readSettings({}), ...given };
  const bus = await startBus({
    settings: { ...settings, DATA_DIR: dataDir, CACHE_DIR: resolve(settings.CACHE_DIR) },
    secrets: openSecrets(dataDir),
    stages: stagesShownBy(),
    logDir,
    processTable: emptyProcessTable(() => undefined),
    disk: { isLow: false, fullAt: 0 },
  });
  return use(bus.natsUrl(ADMIN)).finally(() => bus.server?.stop());
}

/** The creation time of the stream. */
async function createdAt(url: string): Promise<string> {
  const connection = await openConnection(url);
  try {
    const { streams } = await jetstreamManager(connection);
    return (await streams.info(STREAM)).created;
  } finally {
    await connection.close();
  }
}

it('the stream keeps its creation time, by which relays recognise it, at every start', async () => {
  const first = await inOneRun(createdAt);
  // An update in the second run would show in the third.
  expect([await inOneRun(createdAt), await inOneRun(createdAt)]).toEqual([first, first]);
});

it('the stream is reached through a list of servers when one of them is unavailable', async () => {
  const found = await inOneRun(async (url) => {
    const away = Object.assign(new URL(url), { port: '1' }).href;
    return createdAt(`${away},${url}`);
  });
  expect(Date.parse(found)).toBeGreaterThan(0);
});

it('a server that does not answer for three seconds does not fail the start', async () => {
  const found = await inOneRun(async (url) => {
    const wire = await wireTo(url);
    try {
      wire.silence();
      const prepared = prepareStream(wire.url, { say: () => undefined, settings: readSettings({}) });
      setTimeout(() => wire.restore(), 3_000);
      await prepared;
    } finally {
      await wire.close();
    }
    return createdAt(url);
  });
  expect(Date.parse(found)).toBeGreaterThan(0);
});

it('the stream is refused on more servers than there are', async () => {
  const onThree = inOneRun(createdAt, { STREAM_REPLICAS: 3 });
  await expect(onThree).rejects.toThrow('STREAM_REPLICAS needs a cluster');
  const onTwo = await inOneRun((url) => {
    const settings = { ...readSettings({}), STREAM_REPLICAS: 2 };
    return prepareStream(url, { say: () => undefined, settings }).catch((error: unknown) => error);
  });
  expect(onTwo).toMatchObject({ message: expect.stringContaining('in no cluster') });
});

it('the stream drops its oldest events at STREAM_MAX_MB, and accepts new ones', async () => {
  const state = await inOneRun(
    async (url) => {
      const connection = await openConnection(url);
      try {
        const event = new Uint8Array(100_000);
        for (let count = 0; count < 20; count += 1)
          await jetstream(connection).publish('practice.events.clients.x.client.Test', event);
        const { streams } = await jetstreamManager(connection);
        return (await streams.info(STREAM)).state;
      } finally {
        await connection.close();
      }
    },
    { STREAM_MAX_MB: 1 },
  );
  expect(state.bytes).toBeLessThanOrEqual(1_000_000);
  expect(state.last_seq).toBe(20);
  expect(state.first_seq).toBeGreaterThan(10);
});
