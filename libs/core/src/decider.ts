import type { Event } from './event.js';

/** What a caller wants to happen to one record of a resource. */
export type Command<Row> =
  | { readonly kind: 'create'; readonly record: Row }
  | { readonly kind: 'change'; readonly changes: Partial<Row> }
  | { readonly kind: 'delete' }
  /** Something a policy asks for that is no change of columns by a caller: `countVisit`. */
  | { readonly kind: 'act'; readonly act: string };

/** The command kinds as the write path names them. */
export type CommandKind = Command<unknown>['kind'];

/** Rows that a decision looks at, own or mirrored from another service: all records of `resource` whose `column` is one of `values`. */
export interface Lookup {
  readonly resource: string;
  readonly column: string;
  readonly values: readonly string[];
  /** At most this many rows per value, where existence is all that matters. */
  readonly limit?: number;
}

/** The rows that were looked up, under the practice's lock, as this request has changed them so far. */
export interface World {
  rows<Row>(resource: string, column: keyof Row & string, value: string): readonly Row[];
}

/** What a decision may know beside the command and the record. */
export interface Context {
  /** The moment of the command, ISO 8601 in UTC: deciders have no clock of their own. */
  readonly now: string;
  readonly world: World;
}

/**
 * The rules of one aggregate: a pure function from a wish and the present state to facts.
 * Folding facts into the next state needs no code of its own: an event's data are columns of the record.
 */
export interface Decider<Row> {
  /** The resource whose records are this aggregate's state. */
  readonly resource: string;
  /** What `decide` will ask the world for; nothing, when the command touches no other record. */
  lookups(command: Command<Row>, state: Row | null): readonly Lookup[];
  /**
   * @returns the facts, in order; none when the command changes nothing
   * @throws {Rejection} when a rule forbids it
   */
  decide(command: Command<Row>, state: Row | null, context: Context): readonly Event[];
}
