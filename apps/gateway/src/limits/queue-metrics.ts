import { beforeScrape, gauge, histogram } from '@practice/metrics';
import type { FairQueue } from './fair-queue.js';

type Kind = 'queries' | 'commands';

const wait = histogram('practice_gateway_queue_wait_seconds');
const requests = gauge('practice_gateway_queue_requests');

/** Counts the time of a request in a queue. @returns a promise that settles as `turn` does */
export async function observeWait(queue: Kind, turn: Promise<void>): Promise<void> {
  const began = performance.now();
  await turn;
  wait.observe({ queue }, (performance.now() - began) / 1000);
}

/** Counts the requests of the queues at each scrape. */
export function measureQueues(queues: Readonly<Record<Kind, FairQueue>>): void {
  beforeScrape(['practice_gateway_queue_requests'], () => {
    for (const queue of ['queries', 'commands'] as const) {
      const { running, waiting } = queues[queue].counts;
      requests.set({ queue, state: 'running' }, running);
      requests.set({ queue, state: 'waiting' }, waiting);
    }
  });
}
