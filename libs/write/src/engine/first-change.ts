// The first change of a record that a practice has from the start: it creates the record, which was not stored until then.

import { newRecord, type Resource } from '@practice/resource';
import type { Resumable } from './group/resumable.js';
import type { PracticeView } from './group/practice-view.js';
import { records } from './group/questions.js';
import { changesNothing, type Intent } from './intent.js';

/** The intents, with a creation in place of each change of a record that is not stored. */
export function* asFirstChanges(
  view: PracticeView,
  resource: Resource,
  intents: readonly Intent[],
): Resumable<readonly Intent[]> {
  if (resource.fromStart !== true) return intents;
  const stored = yield* records(view, resource, { column: 'id', values: intents.map(({ id }) => id) });
  return intents.map((intent) =>
    stored.length > 0 || changesNothing(intent) ? intent : firstChange(view, resource, intent),
  );
}

/** The first change of a record as a creation. */
export function firstChange({ now, log }: PracticeView, resource: Resource, intent: Intent): Intent {
  const { id, state, command } = intent;
  const values = { ...state, ...(command.kind === 'change' ? command.changes : {}), created_at: now };
  const defaults = { therapistId: log.therapistId, now, id: () => id };
  return {
    ...intent,
    command: { kind: 'create', record: newRecord(resource, values, defaults) },
    state: null,
  };
}
