// Reactions to events of other services.

import type { Command, DependentCommand, Lookup, LookupContext, Named } from './decider.js';
import type { Resource } from './resource.js';
import type { Row, RowOf } from './row.js';

/** The effect of an event on a record of another service. `before` is null for a new record, `after` for a deleted record. */
export interface Change<Theirs = Row> {
  readonly id: string;
  readonly before: Theirs | null;
  readonly after: Theirs | null;
}

/** The change as a policy sees it. */
export interface PolicyChange<Theirs = Row> extends Change<Theirs> {
  readonly therapistId: string;
  /** When the event was recorded: ISO 8601 in UTC. */
  readonly at: string;
}

/** A command to one of the service's own records. */
export type Reaction<Own = Resource> = Sent<Command<Own>>;

export interface Sent<Asked> {
  readonly id: string;
  readonly command: Asked;
}

/** A selection of own records by one of their columns. */
interface Selection<Column extends string> {
  readonly column: Column;
  readonly values: readonly string[];
}

/**
 * A reaction to events of another service: a pure function from a change there to commands here. The effect of the commands and
 * the new state of the mirror are one transaction. The mirror has the version of each record, so a redelivered event has no effect.
 */
export interface PolicyOf<Theirs, Own, Asked> {
  /** The other service's resource. */
  readonly when: string;
  /** Columns of that resource that the service mirrors for this policy. */
  readonly reads: readonly string[];
  /** The policy reacts to events recorded at this time or later. */
  readonly since: Since;
  /** The own resource. */
  readonly acts: string;
  /** The own records to read; null if the change concerns none. */
  concerns(change: Change<Theirs>): Selection<string> | null;
  /** Everything else that the policy reads. */
  lookups?(change: PolicyChange<Theirs>): readonly Lookup[];
  /** Returns commands to the own records that were read, and to other records of the service, which may be new. */
  react(
    change: PolicyChange<Theirs>,
    records: readonly Own[],
    context: LookupContext,
  ): readonly (Sent<Asked> | DependentCommand)[];
}

/**
 * The start of a policy: an instant in UTC, usually the day on which the policy was written. The policy ignores older events, even
 * when a mirror is filled from the beginning of the stream. With `'beginning'` it reacts to all events.
 */
export type Since = 'beginning' | `${number}-${number}-${number}T${string}Z`;

export type Policy<Theirs = Row, Own = Resource> = PolicyOf<Theirs, RowOf<Own>, Command<Own>>;

/** The columns of a mirrored record that a policy sees. */
type Mirrored<Theirs, Read> = Pick<RowOf<Theirs>, (Read | 'id') & keyof RowOf<Theirs>>;

interface PolicyDefinition<Theirs, Read, Own> extends Pick<
  Policy<Mirrored<Theirs, Read>, Own>,
  'react' | 'lookups'
> {
  readonly when: Theirs;
  readonly reads: readonly Read[];
  readonly since: Since;
  readonly acts: Own;
  concerns(change: Change<Mirrored<Theirs, Read>>): Selection<keyof RowOf<Own> & string> | null;
}

/** Defines a policy. Its rules see the columns of `when` that `reads` lists, and `id`. */
export const policy = <
  Theirs extends Named,
  const Read extends keyof RowOf<Theirs> & string,
  Own extends Named,
>({
  when,
  acts,
  ...rules
}: PolicyDefinition<Theirs, Read, Own>): Policy<Mirrored<Theirs, Read>, Own> => ({
  ...rules,
  when: when.name,
  acts: acts.name,
});
