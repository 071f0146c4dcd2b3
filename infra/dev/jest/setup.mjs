// Before the first integration or end-to-end spec: one whole stack, empty, on free ports, in a folder of its own.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, root } from '../bin/bootstrap.mjs';

export default async function setup() {
  if (process.env.PRACTICE_BUILT !== 'yes') {
    await build().catch((error) =>
      process.stderr.write(`${error.message}\nThe specs meet the last build that worked.\n`),
    );
  }
  const { readSettings, startStack } = await import('../dist/index.js');
  const settings = {
    ...readSettings({}),
    PORT: 0,
    DATA_DIR: mkdtempSync(join(tmpdir(), 'practice-test-')),
    CACHE_DIR: join(root, '.cache'),
    LIMIT_READS_PER_MINUTE: 0,
    LIMIT_WRITES_PER_MINUTE: 0,
    LIMIT_AUTH_PER_MINUTE: 0,
  };
  const stack = await startStack({ settings }).catch((error) => {
    rmSync(settings.DATA_DIR, { recursive: true, force: true });
    throw error;
  });
  globalThis.practiceStack = stack;
  // Workers inherit the environment of the moment they are made.
  process.env.PRACTICE_STACK = JSON.stringify(stack.coordinates);
}
