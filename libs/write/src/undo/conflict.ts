import { allSteps, problemFor, type Problem } from '@practice/core';
import type { Resumable } from '../engine/group/resumable.js';
import type { PracticeView } from '../engine/group/practice-view.js';
import { lastChanges, readEvents, type LaterChanges, type LoggedEvent } from './logged-events.js';
import type { StepBack } from './steps.js';

/** A step back whose record has been changed since, and the columns that no longer have the value of the change. */
interface Changed {
  readonly step: StepBack;
  readonly columns: readonly string[];
}

/**
 * The columns that a user, a token or the system has changed since. A policy's reactions follow the changes of another service, so
 * they do not keep a created record from being deleted.
 * @param chosen the changes that the undo takes back
 */
export function* changedByOthers(
  view: PracticeView,
  changed: Changed,
  chosen: ReadonlySet<string>,
): Resumable<readonly string[]> {
  const rows = yield* view.rows(
    lastChanges(view.log, { ...laterChanges(changed, chosen), exceptPolicies: true }),
  );
  const found = new Set(rows.map(([name]) => name));
  return changed.columns.filter((name) => found.has(name));
}

const laterChanges = (
  { step: { resource, event }, columns }: Changed,
  chosen: ReadonlySet<string>,
): LaterChanges => ({
  ...{ event, columns, except: [...chosen] },
  deletions: Object.keys(resource.events).filter((type) => resource.events[type] === 'deleted'),
});

/**
 * The refusal of an undo whose record has been changed since: by which change, by whom and when. It names columns, never values.
 * @param changed the columns are empty if the record itself was created again or deleted
 * @param chosen the changes that the undo takes back
 */
export function* changedSince(
  view: PracticeView,
  changed: Changed,
  chosen: ReadonlySet<string>,
): Resumable<Problem> {
  const { step, columns } = changed;
  const { resource, event } = step;
  const rows = yield* view.rows(lastChanges(view.log, laterChanges(changed, chosen)));
  const later = new Map(rows.map(([name = null, ...found]) => [name, allSteps(readEvents([found]))[0]]));
  const parts =
    columns.length === 0
      ? [`the record was ${step.kind === 'bring back' ? 'created again' : 'deleted'}${by(later.get(null))}`]
      : columns.map((column) => `${column} was changed${by(later.get(column))}`);
  return problemFor('PM007', {
    message: `${event.metadata.changeId} cannot be undone, because the record has been changed since`,
    details: `${resource.name} ${event.streamId}: ${parts.join('; ')}.`,
    hint: columns.length === 0 ? UNDO_LATER : `${UNDO_LATER} Or send force: true to override it.`,
  });
}

const UNDO_LATER = 'Undo the later change first.';

/** Actors of earlier events have no name. */
function by(event: LoggedEvent | undefined): string {
  if (event === undefined) return ' since';
  const { type, recordedAt, metadata } = event;
  const { changeId = 'a change', actor } = metadata;
  return ` by ${changeId} (${type}, by ${actor.name ?? actor.kind}, at ${recordedAt})`;
}
