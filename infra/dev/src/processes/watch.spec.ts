import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../until.js';
import { startChild, type Child } from './child.js';
import { identify, isAlive } from './identity.js';
import { watch, type Watched } from './watch.js';

const folder = mkdtempSync(join(tmpdir(), 'practice-watch-'));
const logFile = join(folder, 'program.log');
const running: Watched[] = [];

const startNode = (code: string): Promise<Child> =>
  startChild({
    name: 'program',
    command: process.execPath,
    args: ['-e', code],
    env: {},
    logFile,
    orphaned: 'channel',
  });

const patiently = <T>(ask: () => T | undefined): Promise<T | undefined> => until(ask, { within: 10_000 });

async function watched(code: string, pids: (number | undefined)[], said: string[] = []): Promise<Watched> {
  const program = await watch({
    name: 'program',
    start: () => startNode(code),
    stop: (child) => child.stop('SIGTERM', 5000),
    onChange: (pid) => pids.push(pid),
    say: (line) => said.push(line),
  });
  running.push(program);
  return program;
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((program) => program.stop()));
  rmSync(logFile, { force: true });
});

afterAll(() => rmSync(folder, { recursive: true }));

const forever = 'setInterval(() => {}, 1000)';

describe('a watched program', () => {
  it('is started again when it ends unexpectedly, with a line in the terminal', async () => {
    const pids: (number | undefined)[] = [];
    const said: string[] = [];
    await watched(forever, pids, said);
    process.kill(pids[0] ?? 0, 'SIGKILL');
    const next = await patiently(() => pids[2]);
    expect(next).not.toBe(pids[0]);
    expect(pids.slice(0, 2)).toEqual([pids[0], undefined]);
    expect(said[0]).toContain('ended by itself (by SIGKILL)');
  });

  it('ends for good when it is stopped, after what it has to do', async () => {
    const pids: (number | undefined)[] = [];
    const code = `process.on('SIGTERM', () => { console.log('finished'); process.exit(0); }); console.log('up'); ${forever}`;
    const program = await watched(code, pids);
    await patiently(() => readFileSync(logFile, 'utf8').includes('up') || undefined);
    const known = identify(pids[0] ?? 0);
    await program.stop();
    expect(known && isAlive(known)).toBe(false);
    expect(pids.at(-1)).toBeUndefined();
    expect(readFileSync(logFile, 'utf8')).toContain('finished');
  });
});

describe('a process', () => {
  it('is identified by its start time as well as its number', () => {
    const me = identify(process.pid);
    expect(me && isAlive(me)).toBe(true);
    expect(me && isAlive({ ...me, began: 'another time' })).toBe(false);
  });
});
