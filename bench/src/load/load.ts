import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
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
      const result = await ordered(child, order, measuring);
      if (result.failures > 0) throw new Error(`${result.failures} requests failed: ${result.failure}`);
      return result;
    },
    stop: () => void child.kill(),
  };
}

function ordered(child: ChildProcess, order: Order, measuring: () => void): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    const ended = (): void => reject(new Error('the load’s process ended'));
    const settle = (step: () => void): void => {
      child.off('message', hear);
      child.off('exit', ended);
      step();
    };
    const hear = (message: Message): void => {
      if (message.kind === 'measuring') measuring();
      else if (message.kind === 'done') settle(() => resolve(message.result));
      else settle(() => reject(new Error(message.message)));
    };
    child.on('message', hear);
    child.once('exit', ended);
    child.send(order);
  });
}
