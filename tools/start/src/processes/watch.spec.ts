import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Child,
  identify,
  isAlive,
  type Program,
  startChild,
  startReady,
  until,
} from '@practice/operator';
import { patient, type Health, type HealthCheck } from './health.js';
import { watch, type Watched } from './watch.js';

const folder = mkdtempSync(join(tmpdir(), 'practice-watch-'));
const logFile = join(folder, 'program.log');
const running: Watched[] = [];

const nodeProgram = (code: string): Program => ({
  name: 'program',
  command: process.execPath,
  args: ['-e', code],
  env: {},
  logFile,
  orphaned: 'channel',
});
const startNode = (code: string): Promise<Child> => startChild(nodeProgram(code));

const isWell = patient(() => Promise.resolve('well'));

const patiently = <T>(ask: () => T | undefined): Promise<T | undefined> => until(ask, { within: 60_000 });

async function watched(
  code: string,
  pids: (number | undefined)[],
  { said = [], health = isWell }: { said?: string[]; health?: HealthCheck } = {},
): Promise<Watched> {
  const program = await watch({
    name: 'program',
    start: () => startNode(code),
    stop: (child) => child.stop('SIGTERM', 5000),
    onChange: (pid) => pids.push(pid),
    say: (line) => said.push(line),
    health,
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
    await watched(forever, pids, { said });
    process.kill(pids[0] ?? 0, 'SIGKILL');
    const next = await patiently(() => pids[2]);
    expect(next).not.toBe(pids[0]);
    expect(pids.slice(0, 2)).toEqual([pids[0], undefined]);
    expect(said[0]).toContain('ended by itself (by SIGKILL)');
  });

  it.each([
    ['hangs', 'SIGSTOP', 'does not answer'],
    ['says that it cannot do its work', undefined, 'cannot do its work any more'],
  ] as const)('is started again when it %s, although it does not end', async (_, signal, reason) => {
    const pids: (number | undefined)[] = [];
    const said: string[] = [];
    const isStopped = (pid: number): boolean => readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') T ');
    const ask = async (): Promise<Health> => {
      const [first = 0] = pids;
      if (pids.length > 1) return 'well';
      return signal === undefined ? 'broken' : isStopped(first) ? 'silent' : 'well';
    };
    const health = { ask, within: 1000, every: 5, tries: 3 };
    await watched(forever, pids, { said, health });
    if (signal !== undefined) process.kill(pids[0] ?? 0, signal);
    expect(await patiently(() => pids[2])).not.toBe(pids[0]);
    expect(said[0]).toContain(reason);
  });

  it('ends for good when it is stopped, after it has finished its work', async () => {
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

describe('a program that starts slowly', () => {
  const steps = (most: number): string =>
    `let step = 0; setInterval(() => step < ${most} && console.log('step ' + ++step), 200); ${forever}`;
  /** Shorter than all steps take, and long enough for the start of a program on a busy machine. */
  const within = 5000;
  const log = (): string => (existsSync(logFile) ? readFileSync(logFile, 'utf8') : '');
  const isReady = (): boolean => log().includes('step 30');

  it('gets more time for as long as it makes progress', async () => {
    const child = await startReady(nodeProgram(steps(30)), { isReady, within, progress: log });
    await child.stop('SIGKILL', 1000);
  });

  it('is ended when it makes no more progress', async () => {
    const starting = startReady(nodeProgram(steps(2)), { isReady, within, progress: log });
    await expect(starting).rejects.toThrow('step 2');
  });
});

describe('a process', () => {
  it('is identified by its start time as well as its number', () => {
    const me = identify(process.pid);
    expect(me && isAlive(me)).toBe(true);
    expect(me && isAlive({ ...me, began: 'another time' })).toBe(false);
  });
});
