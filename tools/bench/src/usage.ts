// CPU time and memory of processes, from Linux' /proc. Unknown on other systems.

import { existsSync, readdirSync, readFileSync } from 'node:fs';

export interface Process {
  readonly name: string;
  readonly pid: number;
}

/** CPU time of processes so far in microseconds, by name. */
export type CpuTime = ReadonlyMap<string, number>;

/** Linux counts CPU time in hundredths of a second, whatever its own clock does. */
const TICK_MICROSECONDS = 10_000;

export const isUsageKnown = existsSync('/proc/self/stat');

/** CPU time of these processes; that of a Postgres server is its own and its children's. */
export function cpuTimeOf(processes: readonly Process[]): CpuTime {
  if (!isUsageKnown) return new Map();
  const children = processes.some(({ name }) => name === 'postgres') ? allStats() : [];
  return new Map(
    processes.map(({ name, pid }) => {
      const own = statOf(pid);
      const theirs = name === 'postgres' ? children.filter(({ parent }) => parent === pid) : [];
      const ticks = own.ticks + own.reapedTicks + theirs.reduce((sum, child) => sum + child.ticks, 0);
      return [name, ticks * TICK_MICROSECONDS];
    }),
  );
}

/** Memory of a process in bytes. */
export interface Held {
  /** Resident, what it shares with others included. */
  readonly resident: number;
  /** Its share: of what several processes hold, such as Node's own program, each is charged its part (proc(5), `Pss`). */
  readonly proportional: number;
}

const bytesOf = (file: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(read(file))?.[1] ?? 0) * 1024;

/** Memory of a process that is resident, in bytes. */
export const residentBytes = (pid: number): number => bytesOf(`/proc/${pid}/status`, 'VmRSS');

function heldBy(pid: number): Held {
  const file = `/proc/${pid}/smaps_rollup`;
  return { resident: bytesOf(file, 'Rss'), proportional: bytesOf(file, 'Pss') };
}

interface Stat {
  readonly parent: number;
  readonly ticks: number;
  /** Of children that have ended. */
  readonly reapedTicks: number;
}

function allStats(): Stat[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map((entry) => statOf(Number(entry)));
}

/** The fields behind the name, which may itself hold spaces and brackets (proc(5)). */
function statOf(pid: number): Stat {
  const text = read(`/proc/${pid}/stat`);
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [, parent = 0] = fields;
  const [user = 0, system = 0, reapedUser = 0, reapedSystem = 0] = fields.slice(11, 15);
  return { parent, ticks: user + system, reapedTicks: reapedUser + reapedSystem };
}

/** Empty when the process has just ended. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** The most memory that processes held together, looked at twice a second. */
export interface Memory {
  /** By process, at the moment when the sum of what is resident was largest. */
  readonly peak: () => Readonly<Record<string, Held>>;
  readonly stop: () => void;
}

export function createMemory(processes: () => readonly Process[]): Memory {
  let peak: Record<string, Held> = {};
  let most = 0;
  const look = (): void => {
    const running = processes();
    const sum = running.reduce((all, { pid }) => all + residentBytes(pid), 0);
    if (sum <= most) return;
    most = sum;
    // The kernel needs longer for shared memory, so it is read only at a new peak.
    peak = Object.fromEntries(running.map(({ name, pid }) => [name, heldBy(pid)]));
  };
  const timer = setInterval(look, 500).unref();
  look();
  return { peak: () => peak, stop: () => clearInterval(timer) };
}
