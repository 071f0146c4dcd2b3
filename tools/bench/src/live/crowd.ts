import type { RealtimeCaller } from '../realtime/socket.js';
import { startWorker } from '../worker.js';

/** Sockets or streams to open, all in one process. */
export interface Opening extends Omit<RealtimeCaller, 'token'> {
  readonly kind: 'sockets' | 'streams';
  /** One for each connection. */
  readonly tokens: readonly string[];
}

export type CrowdOrder = Opening | { readonly kind: 'count' };

/** Events that all connections have received so far. */
export interface Received {
  readonly events: number;
  /** When the last event arrived, in milliseconds since the epoch. */
  readonly lastAt: number;
}

/** Opens connections in a process of their own. `stop` closes all of them. @throws {Error} when one is refused */
export async function openCrowd(opening: Opening) {
  const { ask, stop } = startWorker<CrowdOrder, Received>('live/crowd-worker');
  await ask(opening).catch((error: unknown) => {
    stop();
    throw error;
  });
  return { received: () => ask({ kind: 'count' }), stop };
}

export type Crowd = Awaited<ReturnType<typeof openCrowd>>;
