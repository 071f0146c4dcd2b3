import { cpus, loadavg, totalmem } from 'node:os';
import type { Client } from 'pg';

/** The machine on which the numbers were measured. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGib: number;
  readonly node: string;
  /** The version of Postgres. Missing when two versions of the project are compared: each may use its own. */
  readonly postgres?: string;
  /** Load average of the last minute when the measurements ended. It shows whether something else was running. */
  readonly loadAverage: number;
  readonly at: string;
}

export async function machine(admin?: Client): Promise<Machine> {
  const found = await admin?.query<{ server_version: string }>('SHOW server_version');
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGib: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    ...(found && { postgres: found.rows[0]?.server_version ?? 'unknown' }),
    loadAverage: loadavg()[0] ?? NaN,
    at: new Date().toISOString(),
  };
}

export const describeMachine = ({ cpu, cores, memoryGib, node, postgres, loadAverage }: Machine): string => {
  const programs = [`Node ${node}`, ...(postgres === undefined ? [] : [`Postgres ${postgres}`])];
  return `${cores} × ${cpu}, ${memoryGib} GiB, ${programs.join(', ')}; load average ${loadAverage.toFixed(1)}`;
};
