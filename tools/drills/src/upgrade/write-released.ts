// `npm run released`: stores the rows that this version writes, for the test that later versions can still read them.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectFolder, readSettings } from '@practice/operator';
import { startStack } from '@practice/start';
import { writeSpread } from './spread.js';
import { readSettled } from './stored-data.js';

/** Starts this version on an empty data folder, writes a practice and stores the rows. @returns the file */
export async function writeReleased(release: string, print: (line: string) => void): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'practice-released-'));
  const settings = { ...readSettings({}), PORT: 0, DATA_DIR: dataDir };
  const stack = await startStack({ settings, print });
  try {
    await writeSpread(stack);
    const rows = await readSettled(stack.adminDatabaseUrl);
    const folder = join(projectFolder, 'libs/service/fixtures');
    const file = join(folder, `released-${release}.jsonl`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    return file;
  } finally {
    await stack.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
