// Before the first integration or end-to-end spec: one whole stack, empty, on free ports, in a folder of its own.
// Making the databases takes several seconds. It is done once, in a template that every stack of this run starts from.
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, root } from '../build/bootstrap.mjs';

export default async function setup() {
  // Another process runs the stack, such as a drill.
  if (process.env.PRACTICE_STACK !== undefined) return;
  await build().catch((error) =>
    process.stderr.write(`${error.message}\nThe specs meet the last build that worked.\n`),
  );
  const { readSettings } = await import('../../apps/operator/dist/index.js');
  const { startStack, withoutLimits } = await import('../start/dist/index.js');
  const settings = { ...readSettings({}), ...withoutLimits, PORT: 0, CACHE_DIR: join(root, '.cache') };
  const template = mkdtempSync(join(tmpdir(), 'practice-template-'));
  const dataDir = `${template}-copy`;
  try {
    const servers = await startStack({ settings: { ...settings, DATA_DIR: template }, onlyServers: true });
    await servers.stop();
    // Specs take away processes, not the power: what a process has written outlives it.
    appendFileSync(join(template, 'postgres', 'postgresql.conf'), 'fsync = off\n');
    execFileSync('cp', ['-a', template, dataDir]);
    const stack = await startStack({ settings: { ...settings, DATA_DIR: dataDir } });
    globalThis.practiceStack = stack;
    globalThis.practiceFolders = [template, dataDir];
    // Workers inherit the environment of the moment they are made.
    process.env.PRACTICE_STACK = JSON.stringify(stack.coordinates);
    process.env.PRACTICE_TEMPLATE = template;
  } catch (error) {
    for (const folder of [template, dataDir]) rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}
