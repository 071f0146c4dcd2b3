import { join } from 'node:path';
import { type Child, machineEnvironment, type Program, startReady } from '@practice/operator';
import type { Means } from './means.js';

export interface ServerProgram extends Pick<Program, 'name' | 'command' | 'args' | 'account'> {
  readonly env?: Program['env'];
  readonly isReady: () => Promise<boolean>;
}

const READY_WITHIN = 30_000;

/** Starts a server beside the product, and waits until it is ready. If it still runs at the end, it is killed. */
export async function startProgram(
  { folder, atEnd }: Means,
  { env = {}, isReady, ...program }: ServerProgram,
): Promise<Child> {
  const child = await startReady(
    {
      ...program,
      env: { ...machineEnvironment(), ...env },
      logFile: join(folder, `${program.name}.log`),
      // PgBouncer would wait for its clients after SIGTERM.
      orphaned: 'SIGINT',
    },
    { isReady, within: READY_WITHIN },
  );
  atEnd(() => kill(child));
  return child;
}

export const kill = (child: Child): Promise<void> => child.stop('SIGKILL', 1000);

/** Whether a server answers within a second that all is well. */
export const isOk = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(1000) }).then(
    ({ ok }) => ok,
    () => false,
  );
