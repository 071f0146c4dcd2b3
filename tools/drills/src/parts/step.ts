import type { CallAs } from '../kit/call.js';

/** A practice, and ids for its first records. */
export interface Tour {
  readonly call: CallAs;
  readonly client: string;
  readonly service: string;
}

export interface Step {
  readonly title: string;
  /** @returns whether the responses are as they should be, and what was found */
  readonly walk: (tour: Tour) => Promise<readonly [isMet: boolean, found: unknown]>;
}
