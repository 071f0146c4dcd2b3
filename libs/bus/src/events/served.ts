import type { Binding } from './binding.js';
import type { Consumer } from './consumers.js';

/** A consumer that serves this process, or is about to. */
export interface Served {
  readonly consumer: Consumer;
  readonly takes: (subject: string) => boolean;
  binding: Binding | undefined;
  /** The highest stream sequence that the consumer has delivered. */
  last: number;
  /** Sequences delivered after the session's limit. They are neither handled nor acknowledged. */
  readonly parked: Set<number>;
}
