import { fork } from 'node:child_process';
import { on } from 'node:events';
import { join } from 'node:path';
import type { LoadResult, Message, Order } from './protocol.js';

export interface Load {
  readonly pid: number;
  /**
   * Has an order carried out.
   * @param measuring called when its warm-up is over
   * @throws {Error} when a request was not answered as it should be: such a measurement says nothing
   */
  run(order: Order, measuring: () => void): Promise<LoadResult>;
  stop(): void;
}

/** Starts the process that makes the load. */
export function startLoad(): Load {
  const child = fork(join(import.meta.dirname, 'worker.js'), { serialization: 'advanced' });
  return {
    pid: child.pid ?? 0,
    run: async (order, measuring) => {
      const messages = on(child, 'message', { close: ['exit'] });
      child.send(order);
      for await (const [message] of messages as AsyncIterable<[Message]>) {
        if (message.kind === 'measuring') measuring();
        else if (message.kind === 'done') return message.result;
        else throw new Error(message.message);
      }
      throw new Error('the load’s process ended');
    },
    stop: () => void child.kill(),
  };
}
