// The identity of a process: its id and its start time. The operating system reuses an id, but not with the same start time.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { machineEnvironment } from '../settings/operator.config.js';

export interface ProcessIdentity {
  readonly pid: number;
  /** When the process started, in the format of the operating system. */
  readonly began: string;
}

/** The process that runs under `pid` now, or `undefined`. */
export function identify(pid: number): ProcessIdentity | undefined {
  const began = process.platform === 'linux' ? beganOnLinux(pid) : beganElsewhere(pid);
  return began === undefined ? undefined : { pid, began };
}

/** Whether exactly this process still runs. */
export function isAlive(known: ProcessIdentity): boolean {
  return identify(known.pid)?.began === known.began;
}

function beganOnLinux(pid: number): string | undefined {
  const fields = statOf(pid);
  if (fields === undefined || fields[0] === 'Z') return undefined;
  return `${fields[19]} ${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}`;
}

/** The fields of /proc/<pid>/stat behind the name, which may contain any character (proc(5)); undefined if it does not run. */
export function statOf(pid: number): readonly string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/** The ids of all processes. */
export const allPids = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

function beganElsewhere(pid: number): string | undefined {
  try {
    // The same text for every caller: it depends on the zone and the language.
    const env = { ...machineEnvironment(), LC_ALL: 'C', TZ: 'UTC' };
    const text = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', env });
    return text.trim() || undefined;
  } catch {
    return undefined;
  }
}
