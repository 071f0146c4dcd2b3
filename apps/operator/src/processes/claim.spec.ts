import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { claim } from './claim.js';
import { identify } from './identity.js';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'claim-'));
  file = join(folder, 'supervisor.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

const ended = { supervisor: { pid: process.pid, began: 'long ago' }, children: [] };
const holder = (): unknown => (JSON.parse(readFileSync(file, 'utf8')) as typeof ended).supervisor;

describe('the claim of a data folder', () => {
  it('is refused while a supervisor runs, and is free again after its release', async () => {
    const first = await claim(folder);
    await expect(claim(folder)).rejects.toThrow(/already runs/);
    first.release();
    (await claim(folder)).release();
  });

  it('passes from a supervisor that has ended to exactly one of several concurrent starts', async () => {
    writeFileSync(file, JSON.stringify(ended));
    const starts = await Promise.allSettled(Array.from({ length: 5 }, () => claim(folder)));
    expect(starts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(holder()).toEqual(identify(process.pid));
  });

  it('is not released by a supervisor that has lost it', async () => {
    const lost = await claim(folder);
    const other = { supervisor: { pid: process.ppid, began: 'now' }, children: [] };
    writeFileSync(file, JSON.stringify(other));
    lost.release();
    expect(holder()).toEqual(other.supervisor);
  });
});
