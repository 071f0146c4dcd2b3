import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { STREAM } from '@practice/contracts';
import { readSettings } from '../dev.config.js';
import { emptyProcessTable } from '../processes/process-table.js';
import { openSecrets } from '../secrets.js';
import { stagesShownBy } from '../stages.js';
import { startBus } from './bus.js';
import { openConnection } from './stream.js';
import { ADMIN } from './users.js';

const dataDir = join(tmpdir(), `practice-stream-${randomUUID()}`);
const logDir = join(dataDir, 'logs');

afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

/** Starts the bus, and stops it. @returns the creation time of the stream */
async function createdInOneRun(): Promise<string> {
  mkdirSync(logDir, { recursive: true });
  const settings = readSettings({});
  const bus = await startBus({
    settings: { ...settings, DATA_DIR: dataDir, CACHE_DIR: resolve(settings.CACHE_DIR) },
    secrets: openSecrets(dataDir),
    stages: stagesShownBy(),
    logDir,
    processTable: emptyProcessTable(() => undefined),
    disk: { isLow: false, freeBytes: Infinity },
  });
  const connection = await openConnection(bus.natsUrl(ADMIN));
  try {
    const { streams } = await jetstreamManager(connection);
    return (await streams.info(STREAM)).created;
  } finally {
    await connection.close();
    await bus.server?.stop();
  }
}

it('keeps its creation time, by which relays recognise the stream, at every start', async () => {
  const first = await createdInOneRun();
  // An update in the second run would show in the third.
  expect([await createdInOneRun(), await createdInOneRun()]).toEqual([first, first]);
});
