import { fork } from 'node:child_process';
import { on } from 'node:events';
import { join } from 'node:path';
import type { CrowdMessage, CrowdOrder, Opening, Received } from './protocol.js';

/** Open connections in a process of their own. */
export interface Crowd {
  readonly received: () => Promise<Received>;
  /** Closes all of them. */
  readonly stop: () => void;
}

/** Opens connections. @throws {Error} when one is refused */
export async function openCrowd(opening: Opening): Promise<Crowd> {
  const child = fork(join(import.meta.dirname, 'crowd-worker.js'), { serialization: 'advanced' });
  const ask = async (order: CrowdOrder): Promise<CrowdMessage> => {
    const messages = on(child, 'message', { close: ['exit'] });
    child.send(order);
    for await (const [message] of messages as AsyncIterable<[CrowdMessage]>) {
      if (message.kind === 'failed') throw new Error(message.message);
      return message;
    }
    throw new Error('the process of the connections ended');
  };
  const stop = (): void => void child.kill();
  try {
    await ask(opening);
  } catch (error) {
    stop();
    throw error;
  }
  return {
    received: async () => {
      const answer = await ask({ kind: 'count' });
      if (answer.kind !== 'received') throw new Error('the connections were not counted');
      return answer.received;
    },
    stop,
  };
}
