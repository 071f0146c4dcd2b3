// Deciders of commands that only the service itself sends. They need no lookups.

import type { ChangeCommand, CreateCommand, Decider, EventOf } from '@practice/resource';
import type { LookupContext, Resource, RowOf } from '@practice/resource';

type Events<D> = readonly EventOf<D>[];

/** A decider that only creates records. */
export const creating = <D extends Resource>(
  definition: D,
  decide: (record: CreateCommand<D>['record']) => Events<D>,
): Decider<D> => ({
  definition,
  lookups: () => [],
  decide: (command) => (command.kind === 'create' ? decide(command.record) : notSent(command)),
});

/** A decider that only changes records. */
export const changing = <D extends Resource>(
  definition: D,
  decide: (changes: ChangeCommand<D>['changes'], state: RowOf<D> | null, context: LookupContext) => Events<D>,
): Decider<D> => ({
  definition,
  lookups: () => [],
  decide: (command, state, context) =>
    command.kind === 'change' ? decide(command.changes, state, context) : notSent(command),
});

function notSent({ kind }: { readonly kind: string }): never {
  throw new Error(`the service itself does not ${kind} these records`);
}
