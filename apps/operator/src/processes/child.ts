// One program under this supervisor. It has its own process group, so that Ctrl-C in the terminal reaches only the
// supervisor, which then stops the programs in order.
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync } from 'node:fs';
import { Failure } from '../common/failure.js';
import { until } from '../common/until.js';
import { openLog, tailOf } from './log-file.js';

/** A user of this machine. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

export interface Program {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Its working directory; by default the working directory of this process. */
  readonly cwd?: string;
  /** File that receives what the program prints. */
  readonly logFile: string;
  /** The user to run as; by default the user of this process. */
  readonly account?: Account | undefined;
  /**
   * How the program learns that this process was killed: `channel` for Node programs (they see the channel close), or
   * the signal that the kernel sends (on Linux; on other systems, the next start ends the program).
   */
  readonly orphaned: 'channel' | 'SIGINT' | 'SIGTERM';
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Starts a program. @throws when it cannot be executed */
export async function startChild(program: Program) {
  const log = openLog(program.logFile);
  const { command, args } = underKernelCare(program);
  const spawned = spawn(command, args, {
    env: program.env,
    cwd: program.cwd,
    detached: true,
    stdio: program.orphaned === 'channel' ? ['ignore', log, log, 'ipc'] : ['ignore', log, log],
    ...(program.account && { uid: program.account.uid, gid: program.account.gid }),
  });
  closeSync(log);
  const exited = new Promise<Exit>((resolve) => {
    spawned.once('exit', (code, signal) => resolve({ code, signal }));
  });
  await new Promise<void>((resolve, reject) => {
    spawned.once('spawn', resolve);
    spawned.once('error', reject);
  });
  return {
    pid: spawned.pid ?? 0,
    exited,
    /** Sends `signal`, waits up to `within` milliseconds, then kills the program. */
    stop: (signal: NodeJS.Signals, within: number): Promise<void> =>
      stop(spawned, exited, { signal, within }),
  };
}

export type Child = Awaited<ReturnType<typeof startChild>>;

/** Milliseconds that a program gets to stop if it did not become ready. */
const STOPPED_WITHIN = 2000;

export interface Readiness {
  readonly isReady: (child: Child) => Promise<boolean> | boolean;
  /** Milliseconds from the start, or from the last progress if `progress` is set. */
  readonly within: number;
  /** Milliseconds between two questions whether it is ready; by default the pause of `until`. */
  readonly every?: number;
  /** A value that changes while the start of the program makes progress. */
  readonly progress?: () => unknown;
}

/**
 * Starts a program and waits until it is ready.
 * @throws {Failure} with the end of its log, if the program ends early or takes too long. It is then stopped.
 */
export async function startReady(program: Program, readiness: Readiness): Promise<Child> {
  const child = await startChild(program);
  const gone = child.exited.then(() => undefined);
  const hasEnded = new AbortController();
  if (await Promise.race([becomesReady(child, readiness, hasEnded.signal), gone])) return child;
  hasEnded.abort();
  await child.stop('SIGTERM', STOPPED_WITHIN);
  throw new Failure(
    `${program.name} did not start. The end of ${program.logFile}:\n${tailOf(program.logFile)}`,
  );
}

/** Waits until the program is ready. @returns true; undefined if time has run out since its last progress, or the program has ended */
async function becomesReady(
  child: Child,
  readiness: Readiness,
  ended: AbortSignal,
): Promise<true | undefined> {
  const { isReady, progress, ...patience } = readiness;
  let known: unknown;
  for (;;) {
    const ready = await until(
      async () => ended.aborted || (await isReady(child)) || progress?.() !== known,
      patience,
    );
    if (ready === undefined || ended.aborted) return undefined;
    if (await isReady(child)) return true;
    known = progress?.();
  }
}

function underKernelCare({ command, args, orphaned }: Program): { command: string; args: readonly string[] } {
  const setpriv = ['/usr/bin/setpriv', '/bin/setpriv'].find(existsSync);
  if (orphaned === 'channel' || process.platform !== 'linux' || setpriv === undefined)
    return { command, args };
  return { command: setpriv, args: ['--pdeathsig', orphaned.slice(3), command, ...args] };
}

async function stop(
  spawned: ChildProcess,
  exited: Promise<Exit>,
  { signal, within }: { signal: NodeJS.Signals; within: number },
): Promise<void> {
  if (spawned.exitCode !== null || spawned.signalCode !== null) return;
  spawned.kill(signal);
  const timer = setTimeout(() => spawned.kill('SIGKILL'), within);
  await exited;
  clearTimeout(timer);
}
