import type { PublishedEvent } from './envelope.js';
import type { AfterFailure } from './keyed-queue.js';

/** An event to handle, and what to do about the outcome. */
export interface Job {
  readonly event: PublishedEvent;
  done(): void;
  failed(failures: number, error: unknown): AfterFailure | Promise<AfterFailure>;
}
