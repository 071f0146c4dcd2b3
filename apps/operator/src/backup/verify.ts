// npm run backup -- verify: reads every file of a target, and restores into a scratch folder on request.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '@practice/process';
import { removeData } from '../postgres/cluster.js';
import { claim } from '../processes/claim.js';
import type { Stages } from '../common/stages.js';
import { archiveOf } from './archive.js';
import { basesOf } from './base-backup.js';
import { filesOfSystem, systemsOf } from './layout.js';
import { gapOf, rebuild, sourceOf } from './restore.js';
import type { Target } from './target.js';

/** Decrypts every file, and looks for gaps in the archive. @returns a sentence for each problem */
export async function problemsOf(target: Target): Promise<string[]> {
  const problems = new Set<string>();
  const noted = (work: Promise<unknown>): Promise<unknown> =>
    work.catch((error: unknown) => problems.add(messageOf(error)));
  for (const system of systemsOf(target)) {
    for (const name of filesOfSystem(target, system)) await noted(read(target, name));
    await noted(
      archiveOf(target, system).then(async ({ contains, gapAfter }) => {
        const gaps = (await basesOf(target, system)).filter(contains).map(gapAfter);
        for (const gap of gaps) if (gap !== undefined) problems.add(gapOf(gap));
      }),
    );
  }
  return [...problems];
}

async function read(target: Target, name: string): Promise<void> {
  for await (const part of target.get(name)) void part;
}

/** Restores the newest backup in a scratch folder, and deletes the folder. @returns the time that the restore reached */
export async function rehearse(dataDir: string, target: Target, stages: Stages): Promise<string> {
  // Always the same folder, so that the next trial replaces the files of a killed one.
  const scratch = join(dataDir, 'verify');
  mkdirSync(scratch, { recursive: true, mode: 0o755 });
  await claim(scratch);
  try {
    return await rebuild(scratch, await sourceOf(target, { to: 'gap', timeline: undefined }), stages);
  } finally {
    removeData(join(scratch, 'postgres'));
    rmSync(scratch, { recursive: true, force: true });
  }
}
