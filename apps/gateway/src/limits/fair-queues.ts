import { Injectable } from '@nestjs/common';
import { FairQueue } from './fair-queue.js';

/** The properties of a request that a queue needs. */
interface Queued {
  readonly op: string;
  readonly therapistId: string;
}

/** Separate queues for queries and commands: a practice's writes, which run one after the other, must not delay its reads. */
@Injectable()
export class FairQueues {
  private readonly queries = new FairQueue();
  private readonly commands = new FairQueue();

  /**
   * @returns a promise to wait for, or undefined if the request may start now
   * @throws {Rejection} PM503 if the practice's queue is full
   */
  enter(request: Queued): Promise<void> | undefined {
    return this.queueOf(request).take(request.therapistId);
  }

  leave(request: Queued): void {
    this.queueOf(request).done(request.therapistId);
  }

  private queueOf({ op }: Queued): FairQueue {
    return op === 'query' ? this.queries : this.commands;
  }
}
