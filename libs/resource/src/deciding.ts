// Deciders with a rule for each command, and without lookups.

import type { ChangeCommand, CreateCommand, Decider, LookupContext } from './decider.js';
import type { EventOf } from './facts.js';
import type { Resource } from './resource.js';
import type { RowOf } from './row.js';

interface Rules<D extends Resource> {
  readonly created: (record: CreateCommand<D>['record']) => readonly EventOf<D>[];
  readonly changed: (
    changes: ChangeCommand<D>['changes'],
    state: RowOf<D> | null,
    context: LookupContext,
  ) => readonly EventOf<D>[];
}

/** A decider with a rule for each command that is sent. */
export const deciding = <D extends Resource>(
  definition: D,
  { created, changed }: Partial<Rules<D>>,
): Decider<D> => ({
  definition,
  lookups: () => [],
  decide(command, state, context) {
    if (command.kind === 'create' && created !== undefined) return created(command.record);
    if (command.kind === 'change' && changed !== undefined) return changed(command.changes, state, context);
    throw new Error(`${definition.name} do not support ${command.kind}`);
  },
});
