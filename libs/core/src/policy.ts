import type { Command } from './decider.js';

/** What an event made of another service's record, as this service mirrors it; null before it was and after it is gone. */
export interface Change<Theirs> {
  readonly id: string;
  readonly before: Theirs | null;
  readonly after: Theirs | null;
}

/** A command to one of the own records. */
export interface Reaction<Own> {
  readonly id: string;
  readonly command: Command<Own>;
}

/**
 * A reaction to what happened in another service: a pure function from a change there to commands here. Their effect and
 * the mirror's new state are one transaction, so a redelivered event, which the mirror knows by its version, does nothing.
 */
export interface Policy<Theirs, Own> {
  /** The other service's resource. */
  readonly when: string;
  /** The own resource. */
  readonly acts: string;
  /** The own records that the change may concern, by one of their columns; null when it concerns none. */
  concerns(
    change: Change<Theirs>,
  ): { readonly column: keyof Own & string; readonly values: readonly string[] } | null;
  react(change: Change<Theirs>, records: readonly Own[]): readonly Reaction<Own>[];
}
