import { cpus, loadavg, totalmem } from 'node:os';
import type { Client } from 'pg';

/** Where the numbers come from. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGib: number;
  readonly node: string;
  readonly postgres: string;
  /** Load average of the last minute when the measurements ended: what else ran shows here. */
  readonly loadAverage: number;
  readonly at: string;
}

export async function machine(admin: Client): Promise<Machine> {
  const { rows } = await admin.query<{ server_version: string }>('SHOW server_version');
  const all = cpus();
  return {
    cpu: all[0]?.model ?? 'unknown',
    cores: all.length,
    memoryGib: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    postgres: rows[0]?.server_version ?? 'unknown',
    loadAverage: loadavg()[0] ?? NaN,
    at: new Date().toISOString(),
  };
}

/** The machine in one line, without Postgres. */
export function describeMachine(): string {
  const all = cpus();
  const memoryGib = Math.round(totalmem() / 2 ** 30);
  return `${all.length} × ${all[0]?.model ?? 'unknown'}, ${memoryGib} GiB, Node ${process.version}; load average ${(loadavg()[0] ?? NaN).toFixed(1)}`;
}
