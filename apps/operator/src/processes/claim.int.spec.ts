import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';

const STARTS = 5;
const ROUNDS = 40;

const folders = mkdtempSync(join(tmpdir(), 'claims-'));
let starts: ChildProcess[] = [];
afterAll(async () => {
  for (const start of starts) if (start.kill()) await once(start, 'exit');
  rmSync(folders, { recursive: true });
});

it('the claim of a supervisor that has ended passes to exactly one of several processes, however slow their disk is', async () => {
  starts = Array.from({ length: STARTS }, () => fork(join(import.meta.dirname, 'testing', 'slow-claim.mjs')));
  await Promise.all(starts.map((start) => once(start, 'message')));
  for (let round = 0; round < ROUNDS; round += 1) {
    const folder = mkdtempSync(join(folders, 'round-'));
    const ended = { supervisor: { pid: process.pid, began: 'long ago' }, children: [] };
    writeFileSync(join(folder, 'supervisor.json'), JSON.stringify(ended));
    const answers = starts.map(async (start) => {
      const answer = once(start, 'message') as Promise<[string]>;
      start.send(folder);
      return (await answer)[0].replace(/^A system already runs.*/, 'refused');
    });
    const refused = Array.from({ length: STARTS - 1 }, () => 'refused');
    expect((await Promise.all(answers)).sort()).toEqual(['claimed', ...refused]);
  }
});
