import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@practice/testing';
import { run } from '../processes/run.js';
import { machineEnvironment } from '../settings/operator.config.js';
import { exclusively } from './exclusively.js';

const program = JSON.stringify(join(import.meta.dirname, '../../dist/containers/exclusively.js'));
const restoring = (restore: string): string[] => [
  ...['--input-type=module', '--eval'],
  `import { exclusively } from ${program};
  await exclusively(process.argv[1], ${restore}).catch(({ message }) => console.log(message));`,
];
const HOLDS = restoring(`() => new Promise(() => setInterval(() => console.log('restores'), 50))`);
const ENDS = restoring(`async () => console.log('restored')`);

let volume: string;
beforeEach(() => {
  volume = mkdtempSync(join(tmpdir(), 'practice-volume-'));
});
afterEach(() => rmSync(volume, { recursive: true }));

/** Restores in another process. @returns `restored`, or the message */
const restored = async (env = machineEnvironment()): Promise<string> =>
  (await run(process.execPath, [...ENDS, volume], { env })).trim();

describe('a restore into a volume', () => {
  it('is refused while another one runs, and is accepted after its end', async () => {
    let refused = '';
    await exclusively(volume, async () => void (refused = await restored()));
    expect(refused).toMatch(/^Another restore, or the trial of one, runs in this volume/);
    expect(await restored()).toBe('restored');
  });

  it('is accepted when the process of another one was killed', async () => {
    const other = spawn(process.execPath, [...HOLDS, volume]);
    try {
      await once(other.stdout, 'data');
      expect(await restored()).toMatch(/^Another restore/);
    } finally {
      other.kill('SIGKILL');
    }
    await eventually('the lock is free', async () => (await restored()) === 'restored');
  });

  it('does not begin if the volume cannot be locked, with the reason', async () => {
    const onlyHere = { PATH: volume };
    expect(await restored(onlyHere)).toMatch(/^flock, of the package util-linux, cannot be run: .*ENOENT/);
    const failing = '#!/bin/sh\necho No locks available >&2; exit 71';
    writeFileSync(join(volume, 'flock'), failing, { mode: 0o755 });
    expect(await restored(onlyHere)).toBe(`${volume} cannot be locked: No locks available`);
    rmSync(volume, { recursive: true });
    expect(await restored()).toMatch(/^ENOENT: no such file or directory, open/);
    mkdirSync(volume);
  });
});
