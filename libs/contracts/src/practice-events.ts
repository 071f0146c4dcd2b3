// The questions that readers of feeds ask the owner of a log.

/** The name of the operation. */
export const EVENTS_OF_PRACTICE = 'practice-events';

export type PracticeEventsQuestion =
  /**
   * The events of a practice after a position of an epoch (0 before the first restoration), in order. If the log was restored since then,
   * the answer begins after the last position whose event is unchanged.
   */
  | {
      readonly kind: 'after';
      readonly therapistId: string;
      readonly after: number;
      readonly epoch: number;
      readonly limit: number;
    }
  /** The last positions of practices. */
  | { readonly kind: 'heads'; readonly therapistIds: readonly string[] }
  /** The position before the first event that was recorded at an instant (ISO 8601) or later. */
  | { readonly kind: 'at'; readonly therapistId: string; readonly instant: string };

/** A position in a log, with its epoch if the log was restored before this position. */
export interface PlaceInLog {
  readonly position: number;
  readonly epoch?: number;
}

/** The answers, by the kind of question. */
export interface PracticeEventsAnswer {
  /** Each event is a pair of its aggregate and its CloudEvents envelope. `head` is the last position of the log. */
  readonly after: { readonly events: readonly (readonly [string, never])[]; readonly head: number };
  readonly heads: { readonly heads: Readonly<Record<string, PlaceInLog>> };
  readonly at: PlaceInLog;
}
