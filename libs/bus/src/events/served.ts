import type { Binding } from './binding.js';
import type { Consumer } from './consumers.js';

/** A consumer that serves this process, or is about to. */
export interface Served {
  readonly consumer: Consumer;
  readonly takes: (subject: string) => boolean;
  binding: Binding | undefined;
  /** The highest stream sequence delivered. */
  last: number;
  /** Sequences that were delivered beyond the session's limit: they are neither handled nor acknowledged. */
  readonly parked: Set<number>;
}
