// The process of the callers, so that their work does not show in the graphs of the supervisor.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A load to begin, which goes on until the end, or one of so many seconds. */
export type Order =
  | {
      readonly kind: 'calm';
      readonly baseUrl: string;
      readonly apikey: string;
      /** The URL of the administrator. */
      readonly natsUrl: string;
      /** For logs. */
      readonly folder: string;
    }
  | { readonly kind: 'crowd' | 'flood'; readonly seconds: number };

/** The reason why the order failed; empty if it did not. */
export type Report = string;

export interface Callers {
  /** Resolves when the even load has begun, or the load of some seconds is over. @throws {Error} if it fails */
  readonly order: (order: Order) => Promise<void>;
  readonly stop: () => Promise<unknown>;
}

export function startCallers(): Callers {
  const child = fork(join(import.meta.dirname, 'callers-program.js'));
  const ended = once(child, 'exit');
  return {
    order: async (order) => {
      child.send(order);
      const [report] = (await Promise.race([
        once(child, 'message'),
        ended.then(() => ['the process of the callers has ended']),
      ])) as [Report];
      if (report !== '') throw new Error(report);
    },
    stop: () => {
      child.kill();
      return ended;
    },
  };
}
