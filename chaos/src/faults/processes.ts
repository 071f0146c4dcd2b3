// The processes of the system, and signals to them.
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Stack } from '@practice/dev';

const RUNS_WITHIN = 120_000;

/**
 * The id of a process by its name, once it runs.
 * @param not the id of the process before it
 * @throws when it does not run within two minutes
 */
export async function pidOf(
  { processes }: Pick<Stack, 'processes'>,
  name: string,
  not?: number,
): Promise<number> {
  for (const began = Date.now(); Date.now() - began < RUNS_WITHIN; await pause(20)) {
    const pid = processes().find((one) => one.name === name)?.pid;
    if (pid !== undefined && pid !== not) return pid;
  }
  throw new Error(`${name} does not run again`);
}

/** Stops a process with its children. @returns lets the processes that are still there go on */
export function signalTree(pid: number, signal: NodeJS.Signals): () => void {
  const all = [pid, ...descendantsOf(pid)];
  all.forEach((one) => sendSignal(one, signal));
  return () => all.forEach((one) => sendSignal(one, 'SIGCONT'));
}

/** Postgres has a process for each connection. Without /proc, only the process itself is stopped. */
function descendantsOf(pid: number): number[] {
  if (process.platform !== 'linux') return [];
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), parent: parentOf(name) }));
  const childrenOf = (parent: number): number[] =>
    parents.filter((one) => one.parent === parent).flatMap((one) => [one.pid, ...childrenOf(one.pid)]);
  return childrenOf(pid);
}

function parentOf(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}

/** A process that is gone needs no signal. */
function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    return;
  }
}
