// Processes beside the one that measures, so that their work is not part of its own. Each carries out one order at a time.

import { fork } from 'node:child_process';
import { on } from 'node:events';
import { join } from 'node:path';

type Message<Answer> = { readonly answer: Answer } | { readonly failure: string } | 'noted';

/** @param program a file of this package without its ending, such as `load/worker` */
export function startWorker<Order extends object, Answer>(program: string) {
  const child = fork(join(import.meta.dirname, `${program}.js`), { serialization: 'advanced' });
  return {
    pid: child.pid ?? 0,
    /**
     * Sends an order, and waits for its answer.
     * @param noted called when the worker reports that something has begun
     * @throws {Error} when the order fails, or the process ends
     */
    ask: async (order: Order, noted?: () => void): Promise<Answer> => {
      const messages = on(child, 'message', { close: ['exit'] });
      child.send(order);
      for await (const [message] of messages as AsyncIterable<[Message<Answer>]>) {
        if (message === 'noted') noted?.();
        else if ('failure' in message) throw new Error(message.failure);
        else return message.answer;
      }
      throw new Error(`the process ${program} ended`);
    },
    stop: () => void child.kill(),
  };
}

export type Worker<Order extends object, Answer> = ReturnType<typeof startWorker<Order, Answer>>;

/** Carries out orders. A worker's program calls this. */
export function serveOrders<Order, Answer>(work: (order: Order, note: () => void) => Promise<Answer>): void {
  const say = (message: Message<Answer>): void => void process.send?.(message);
  process.on('message', (order: Order) => {
    work(order, () => say('noted')).then(
      (answer) => say({ answer }),
      (error: unknown) => say({ failure: error instanceof Error ? error.message : String(error) }),
    );
  });
  process.once('disconnect', () => process.exit());
}
