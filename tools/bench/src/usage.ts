// CPU time and memory of processes, from Linux' /proc. Unknown on other systems.

import { existsSync, readFileSync } from 'node:fs';
import { allPids, statOf } from '@practice/operator';
import { sum } from './report/statistics.js';

export interface Process {
  readonly name: string;
  readonly pid: number;
}

/** CPU time of processes so far in microseconds, by name. */
export type CpuTime = ReadonlyMap<string, number>;

/** Linux counts CPU time in hundredths of a second, whatever its own clock does. */
const TICK_MICROSECONDS = 10_000;

export const isUsageKnown = existsSync('/proc/self/stat');

/** CPU time of these processes. For a Postgres server, it includes the processes of its connections and other children. */
export function cpuTimeOf(processes: readonly Process[]): CpuTime {
  if (!isUsageKnown) return new Map();
  const children = processes.some(({ name }) => name === 'postgres') ? allPids().map(ticksOf) : [];
  return new Map(
    processes.map(({ name, pid }) => {
      const own = ticksOf(pid);
      const theirs = name === 'postgres' ? children.filter(({ parent }) => parent === pid) : [];
      const ticks = own.ticks + own.reapedTicks + sum(theirs.map((child) => child.ticks));
      return [name, ticks * TICK_MICROSECONDS];
    }),
  );
}

/** The ticks of a process, and `reapedTicks` of its children that have ended. */
function ticksOf(pid: number) {
  const fields = (statOf(pid) ?? []).map(Number);
  const [user = 0, system = 0, reapedUser = 0, reapedSystem = 0] = fields.slice(11, 15);
  return { parent: fields[1] ?? 0, ticks: user + system, reapedTicks: reapedUser + reapedSystem };
}

/** The proportional set size of a process in bytes: a page that processes share counts once. Zero when it has just ended. */
export function memoryBytes(pid: number): number {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** The most memory that processes had together, measured every two seconds: each measurement makes the kernel walk all pages. */
export function createMemory(processes: () => readonly Process[]) {
  /** Bytes by process, at the moment when the sum was largest. */
  let peak: Readonly<Record<string, number>> = {};
  const look = (): void => {
    const now = Object.fromEntries(processes().map(({ name, pid }) => [name, memoryBytes(pid)]));
    if (sum(Object.values(now)) > sum(Object.values(peak))) peak = now;
  };
  const timer = setInterval(look, 2_000).unref();
  look();
  return { peak: () => peak, stop: () => clearInterval(timer) };
}
