// The steps of an undo as intents to records, from the states that the practice has now.

import type { Resource } from '@practice/resource';
import type { Resumable } from '../engine/group/resumable.js';
import type { PracticeView } from '../engine/group/practice-view.js';
import { recordLoads, records, versionLoads, versions } from '../engine/group/questions.js';
import { checkUnlocked, type Intent } from '../engine/intent.js';
import { keyOf } from '@practice/mirror';
import { changedByOthers } from './conflict.js';
import { takeBack, type Outcome, type State, type StepBack } from './steps.js';

/** A record as it is now, with the version of its stream. */
export interface Present {
  readonly state: State;
  readonly version: number;
}

/** By `keyOf`. */
export type Presents = ReadonlyMap<string, Present>;

const stepKey = ({ resource, event }: StepBack): string =>
  keyOf({ resource: resource.name, id: event.streamId });

/** The records of these steps as they are now. */
export function* presentsOf(view: PracticeView, steps: readonly StepBack[]): Resumable<Presents> {
  const ids = new Map<Resource, Set<string>>();
  for (const { resource, event } of steps)
    ids.set(resource, (ids.get(resource) ?? new Set()).add(event.streamId));
  const wanted = [...ids].map(([resource, all]) => ({ resource, byId: { column: 'id', values: [...all] } }));
  yield* view.load(
    wanted.flatMap(({ resource, byId }) => [
      ...recordLoads(view, resource, byId),
      ...versionLoads(view, resource, byId.values),
    ]),
  );
  const presents = new Map<string, Present>();
  for (const { resource, byId } of wanted) {
    const found = yield* records(view, resource, byId);
    const rows = new Map(found.map(({ row }) => [String(row['id']), row]));
    for (const [id, version] of yield* versions(view, resource, byId.values))
      presents.set(keyOf({ resource: resource.name, id }), { state: rows.get(id) ?? null, version });
  }
  return presents;
}

export interface PlannedStep {
  readonly step: StepBack;
  readonly intent: Intent;
}

export type Planned =
  | { readonly kind: 'steps'; readonly steps: readonly PlannedStep[] }
  | { readonly kind: 'conflict'; readonly step: StepBack; readonly columns: readonly string[] };

/** An undo: the changes that it takes back, and whether it also sets back values that have been changed since. */
export interface Undoing {
  readonly chosen: ReadonlySet<string>;
  readonly isForced: boolean;
}

/**
 * The intent of each step, in order; a step that changes nothing has none.
 * @throws {Rejection} when a record is final
 */
export function* plannedSteps(
  view: PracticeView,
  { steps, presents }: { readonly steps: readonly StepBack[]; readonly presents: Presents },
  undoing: Undoing,
): Resumable<Planned> {
  const states = new Map([...presents].map(([key, { state }]) => [key, state]));
  const planned: PlannedStep[] = [];
  for (const step of steps) {
    yield;
    const key = stepKey(step);
    const state = states.get(key) ?? null;
    checkUnlocked(step.resource, state);
    const outcome = yield* outcomeOf(view, { step, state }, undoing);
    if (outcome.kind === 'conflict') return { kind: 'conflict', step, columns: outcome.columns };
    if (outcome.kind === 'nothing') continue;
    states.set(key, outcome.next);
    planned.push({
      step,
      intent: intentOf(step, outcome.command, { state, version: versionIn(presents, key) }),
    });
  }
  return { kind: 'steps', steps: planned };
}

/** The outcome of a step. A created record that only policies have changed since is deleted. */
function* outcomeOf(
  view: PracticeView,
  { step, state }: { readonly step: StepBack; readonly state: State },
  { chosen, isForced }: Undoing,
): Resumable<Outcome> {
  const outcome = takeBack(step, state, isForced);
  if (outcome.kind !== 'conflict' || step.kind !== 'remove' || state === null) return outcome;
  const columns = yield* changedByOthers(view, { step, columns: outcome.columns }, chosen);
  return columns.length > 0 ? { kind: 'conflict', columns } : takeBack(step, state, true);
}

const versionIn = (presents: Presents, key: string): number => presents.get(key)?.version ?? 0;

/** The version is the version before the first step of the record; the decision counts from there. */
const intentOf = ({ event }: StepBack, command: Intent['command'], present: Present): Intent => ({
  ...{ id: event.streamId, command, ...present },
  undoes: event.metadata.changeId ?? '',
});
