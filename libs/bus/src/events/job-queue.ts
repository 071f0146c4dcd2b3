// The events of a subscription that wait for its handler: each practice's in order, different practices at the same time.

import type { Connection } from '../messaging/connection.js';
import type { PublishedEvent } from './envelope.js';
import { createKeyedQueue, type AfterFailure, type KeyedQueue } from './keyed-queue.js';

/** An event to handle, and what to do about the outcome. */
export interface Job {
  readonly event: PublishedEvent;
  done(): void;
  failed(failures: number, error: unknown): AfterFailure | Promise<AfterFailure>;
}

export interface JobQueueOptions {
  readonly connection: Connection;
  readonly subscription: string;
  readonly handler: (event: PublishedEvent) => Promise<void> | void;
  /** Handles many events at once. @returns for each whether it is handled; the others go to the handler */
  readonly batch: ((events: readonly PublishedEvent[]) => Promise<readonly boolean[]>) | undefined;
  readonly concurrency: number;
}

/** The largest batch, and how long events accumulate: long enough for some when there are hundreds a second. */
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
