// The processes of the system.
import { setTimeout as pause } from 'node:timers/promises';
import type { Stack } from '@practice/start';

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
