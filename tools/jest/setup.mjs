// Before the first integration or end-to-end spec: one whole stack, empty, on free ports, in a folder of its own.
// Making the databases takes several seconds. It is done once, in a template that every stack of this run starts from.
import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, root } from '../build/bootstrap.mjs';

/** Files in memory: there, a copy of the template takes an eighth of the processor time of a copy on a disk. */
const MEMORY = '/dev/shm';
/** The memory that must be free. All folders of a run take less than half of it. */
const ENOUGH_BYTES = 8e9;

export default async function setup() {
  // Another process runs the stack, such as a drill.
  if (process.env.PRACTICE_STACK !== undefined) return;
  await build().catch((error) =>
    process.stderr.write(`${error.message}\nThe specs meet the last build that worked.\n`),
  );
  const { readSettings } = await import('../../apps/operator/dist/index.js');
  const { startStack, withoutLimits } = await import('../start/dist/index.js');
  const settings = { ...readSettings({}), ...withoutLimits, PORT: 0, CACHE_DIR: join(root, '.cache') };
  const folder = mkdtempSync(join(temporaryFolder(), 'practice-'));
  // Postgres runs as another user when this one is root.
  chmodSync(folder, 0o755);
  const template = join(folder, 'template');
  const dataDir = join(folder, 'stack');
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const servers = await startStack({ settings: { ...settings, DATA_DIR: template }, onlyServers: true });
  await servers.stop();
  // Specs end processes, but never cut the power: data that a process has written survives without fsync.
  appendFileSync(join(template, 'postgres', 'postgresql.conf'), 'fsync = off\n');
  execFileSync('cp', ['-a', template, dataDir]);
  // No spec stops a process of this stack. Services have more time, because a busy machine may pause for seconds.
  const ofStack = { ...settings, SERVICE_TIMEOUT_MS: 8_000, DATA_DIR: dataDir };
  const stack = await startStack({ settings: ofStack });
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => void stack.stop().finally(() => process.exit(1)));
  globalThis.practiceStack = stack;
  // Workers inherit the environment at their start. The folders that specs make are in this one, and are removed with it.
  process.env.TMPDIR = folder;
  process.env.PRACTICE_STACK = JSON.stringify(stack.coordinates);
  process.env.PRACTICE_TEMPLATE = template;
}

function temporaryFolder() {
  if (process.env.TMPDIR !== undefined || !existsSync(MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return Math.min(bavail * bsize, freemem()) > ENOUGH_BYTES ? MEMORY : tmpdir();
}
