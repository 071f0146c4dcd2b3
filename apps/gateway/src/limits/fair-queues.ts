import { Injectable } from '@nestjs/common';
import { beforeScrape, gauge, histogram } from '@practice/metrics';
import { FairQueue } from './fair-queue.js';

type Kind = 'queries' | 'commands';

const wait = histogram('practice_gateway_queue_wait_seconds');
const requests = gauge('practice_gateway_queue_requests');

/** Measures the time of a request in a queue. @returns a promise that settles as `turn` does */
async function observeWait(queue: Kind, turn: Promise<void>): Promise<void> {
  const began = performance.now();
  await turn;
  wait.observe({ queue }, (performance.now() - began) / 1000);
}

/** The properties of a request that a queue needs. */
interface Queued {
  readonly op: string;
  readonly identity: { readonly therapistId: string };
}

/** Separate queues for queries and commands: a practice's writes, which run one after the other, must not delay its reads. */
@Injectable()
export class FairQueues {
  private readonly queues = { queries: new FairQueue(), commands: new FairQueue() };

  constructor() {
    beforeScrape([requests], () => {
      for (const [queue, { counts }] of Object.entries(this.queues)) {
        requests.set({ queue, state: 'running' }, counts.running);
        requests.set({ queue, state: 'waiting' }, counts.waiting);
      }
    });
  }

  /**
   * @returns a promise to wait for, or undefined if the request may start now
   * @throws {Rejection} PM503 if the practice's queue is full
   */
  enter(request: Queued): Promise<void> | undefined {
    const kind = kindOf(request);
    const turn = this.queues[kind].take(request.identity.therapistId);
    return turn && observeWait(kind, turn);
  }

  leave(request: Queued): void {
    this.queues[kindOf(request)].done(request.identity.therapistId);
  }
}

const kindOf = ({ op }: Queued): Kind => (op === 'query' || op === 'read-function' ? 'queries' : 'commands');
