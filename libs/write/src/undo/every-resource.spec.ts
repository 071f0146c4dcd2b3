// Tests each resource of the catalogue whose changes can be undone. A new resource is tested without a change here.

import { describe, expect, it } from '@jest/globals';
import { allSteps } from '@practice/core';
import { catalog } from '@practice/contracts';
import { deciderOf, entries, evolve, type Command, type Resource, type Row } from '@practice/resource';
import type { LoggedEvent } from './logged-events.js';
import { restoring } from '../engine/restoring.js';
import { stepsBack, takeBack, type State } from './steps.js';

const at = '2026-05-01T08:00:00+00:00';
const undoable = [...catalog.resources.values()].filter(({ isUndoable }) => isUndoable !== false);

const recordOf = (resource: Resource): Row =>
  Object.fromEntries(
    entries(resource.columns).map(([name, { kind, default: preset, serverKept }]) => [
      name,
      serverKept === true ? at : (preset ?? (kind.name === 'text' ? name : null)),
    ]),
  );

/** The events of a command in an undo, as the log has them. */
function logged(resource: Resource, command: Command, state: State): LoggedEvent[] {
  const events = restoring(deciderOf(resource)).decide(command, state, { rows: () => [] } as never);
  return events.map(({ type, data }) => ({
    ...{ position: 1, aggregate: resource.aggregate, streamId: 'id', version: 1, type, schemaVersion: 1 },
    ...{ data: data as Row, previous: state, recordedAt: at },
    metadata: { eventId: '', actor: { kind: 'user' }, requestId: '', correlationId: '' },
    erased: false,
  }));
}

const folded = (resource: Resource, state: State, events: readonly LoggedEvent[]): State =>
  events.reduce<State>((row, event) => evolve(resource, row, event), state);

describe.each(undoable.map((resource) => [resource.name, resource] as const))('%s', (_, resource) => {
  it('comes back by the undo of its deletion, and is deleted again by the undo of that undo', () => {
    const record = recordOf(resource);
    const deletion = logged(resource, { kind: 'delete' }, record);
    expect(folded(resource, record, deletion)).toBeNull();
    const [back] = allSteps(stepsBack(deletion, () => resource)).map((step) => takeBack(step, null, false));
    expect(back).toEqual({
      kind: 'command',
      command: { kind: 'create', record, isUndo: true },
      next: record,
    });
    const restoration = logged(resource, { kind: 'create', record, isUndo: true }, null);
    expect(folded(resource, null, restoration)).toEqual(record);
    const [again] = allSteps(stepsBack(restoration, () => resource)).map((step) =>
      takeBack(step, record, false),
    );
    expect(again).toEqual({ kind: 'command', command: { kind: 'delete' }, next: null });
  });
});
