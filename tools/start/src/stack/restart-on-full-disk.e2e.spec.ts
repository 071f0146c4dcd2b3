// A system that is stopped and started again while its disk is full. Needs the right to mount one.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  answered,
  eventually,
  newPractice,
  patient,
  type Practice,
  practiceOf,
  signIn,
  write,
} from '@practice/testing';
import { readSettings } from '@practice/operator';
import { mountSmallDisk } from '../faults/small-disk.js';
import { templateFolder } from './running-stack.config.js';
import { startStack, type Stack } from './stack.js';

const MEGABYTE = 1_000_000;
const RESERVE_MB = 48;
const folder = mkdtempSync(join(tmpdir(), 'practice-restart-'));
const disk = mountSmallDisk(folder, 300 * MEGABYTE);
const onSmallDisk = disk ? it : it.skip;
if (!disk) process.stderr.write('A restart on a full disk is not tested: this user may not mount a tmpfs.\n');

const dataDir = join(folder, 'data');
let own: Stack | undefined;
let origin: string | undefined;
let practice: Practice;

async function start(): Promise<void> {
  const limits = { LIMIT_READS_PER_MINUTE: 0, LIMIT_WRITES_PER_MINUTE: 0, LIMIT_AUTH_PER_MINUTE: 0 };
  const settings = { ...readSettings({}), ...limits, DISK_RESERVE_MB: RESERVE_MB };
  const stack = await startStack({
    settings: { ...settings, PORT: 0, DATA_DIR: dataDir },
    onlyServers: true,
  });
  own = stack;
  const processes = ['gateway', 'clients', 'identity'].map((one) => stack.spawnProcess(one));
  origin = (await Promise.all(processes))[0]?.origin;
}

beforeAll(async () => {
  if (!disk) return;
  await promisify(execFile)('cp', ['-a', templateFolder(), dataDir]);
  await start();
  practice = await newPractice(origin);
  expect((await add()).status).toBe(201);
});

afterAll(async () => {
  await own?.stop();
  await disk?.unmount();
  rmSync(folder, { recursive: true, force: true });
});

const read = () => answered('the read', () => practice.rest('clients?select=name'));
const add = () => write(practice, 'clients', { method: 'POST', body: { name: 'Ada' } });

onSmallDisk(
  'a system starts while only the reserve is left: it answers reads and refuses writes',
  async () => {
    await own?.stop();
    await disk?.leave((RESERVE_MB * MEGABYTE) / 2);
    await start();
    const answer = await patient(() => signIn(practice, origin));
    practice = practiceOf(practice, answer, origin);
    expect(await read()).toMatchObject({ status: 200, json: [{ name: 'Ada' }] });
    expect((await add()).json).toMatchObject({ code: 'PM507' });
    await disk?.restore();
    await eventually('writes are answered 201', async () => (await add()).status === 201);
  },
);
