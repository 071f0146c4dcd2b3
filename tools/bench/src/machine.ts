import { cpus, loadavg, totalmem } from 'node:os';
import type { Client } from 'pg';

/**
 * The machine on which the numbers were measured.
 * @param admin connected to Postgres; missing when two versions of the project are compared: each may use its own
 */
export async function machine(admin?: Client) {
  const found = await admin?.query<{ server_version: string }>('SHOW server_version');
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGib: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    postgres: found?.rows[0]?.server_version,
    // In the last minute when the measurements ended: it shows whether something else was running.
    loadAverage: loadavg()[0] ?? NaN,
    at: new Date().toISOString(),
  };
}

export type Machine = Awaited<ReturnType<typeof machine>>;

export const describeMachine = ({ cpu, cores, memoryGib, node, postgres, loadAverage }: Machine): string => {
  const programs = [`Node ${node}`, ...(postgres === undefined ? [] : [`Postgres ${postgres}`])];
  return `${cores} × ${cpu}, ${memoryGib} GiB, ${programs.join(', ')}; load average ${loadAverage.toFixed(1)}`;
};
