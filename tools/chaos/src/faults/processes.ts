// The processes of the system.
import { until } from '@practice/operator';
import type { Stack } from '@practice/start';

const RUNS_WITHIN = 120_000;

/**
 * The id of a process by its name, once it runs.
 * @param not the id of the earlier process with this name
 * @throws when it does not run within two minutes
 */
export async function pidOf(
  { processes }: Pick<Stack, 'processes'>,
  name: string,
  not?: number,
): Promise<number> {
  const found = await until(() => processes().find((one) => one.name === name && one.pid !== not)?.pid, {
    within: RUNS_WITHIN,
  });
  return found ?? Promise.reject(new Error(`${name} does not run again`));
}
