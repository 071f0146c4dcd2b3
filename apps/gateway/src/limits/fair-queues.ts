import { Injectable } from '@nestjs/common';
import { FairQueue } from './fair-queue.js';
import { measureQueues, observeWait } from './queue-metrics.js';

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
    measureQueues(this.queues);
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

const kindOf = ({ op }: Queued): 'queries' | 'commands' =>
  op === 'query' || op === 'read-function' ? 'queries' : 'commands';
