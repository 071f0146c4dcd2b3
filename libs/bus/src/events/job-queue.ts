// The queue of events that wait for a subscription's handler. The events of a practice run in order, and practices run in parallel.

import type { Connection } from '../messaging/connection.js';
import type { PublishedEvent } from './envelope.js';
import { createKeyedQueue, type AfterFailure, type KeyedQueue } from './keyed-queue.js';

/** An event to handle, and the callbacks for its outcome. */
export interface Job {
  readonly event: PublishedEvent;
  done(): void;
  failed(failures: number, error: unknown): AfterFailure | Promise<AfterFailure>;
}

export interface JobQueueOptions {
  readonly connection: Connection;
  readonly subscription: string;
  readonly handler: (event: PublishedEvent) => Promise<void> | void;
  /** Handles many events at once. @returns for each event whether it is handled; the other events go to `handler` */
  readonly batch: ((events: readonly PublishedEvent[]) => Promise<readonly boolean[]>) | undefined;
  readonly concurrency: number;
}

/** The largest batch, and the milliseconds in which events accumulate. At hundreds of events a second, a batch then has several. */
const BATCH = { limit: 250, everyMs: 50 };

export function createJobQueue(options: JobQueueOptions): KeyedQueue<Job> {
  const { connection, subscription, batch, handler, concurrency } = options;
  return createKeyedQueue<Job>({
    concurrency,
    work: async (job) => {
      await handler(job.event);
      job.done();
    },
    failed: (job, failures, error) => job.failed(failures, error),
    batch: batch && {
      work: async (jobs) => {
        const done = await batch(jobs.map(({ event }) => event));
        jobs.forEach((job, index) => done[index] === true && job.done());
        return done;
      },
      failed: (err) =>
        connection.logger.warn({ subscription, err }, 'a batch failed; its events are handled one by one'),
      ...BATCH,
    },
  });
}
