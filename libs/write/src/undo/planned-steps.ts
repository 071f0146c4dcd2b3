// The steps of an undo as intents to records, from the states that the practice has now.

import type { Steps } from '@practice/core';
import type { Resource } from '@practice/resource';
import type { Versioned } from '@practice/storage';
import type { PracticeView } from '../engine/group/practice-view.js';
import { recordsIn, versionsIn } from '../engine/group/questions.js';
import type { Intent } from '../engine/intent.js';
import { keyOf } from '@practice/mirror';
import { takeBack } from './steps.js';
import type { State, StepBack } from './steps.js';

/** A record as it is now, with the version of its stream. */
export interface Present {
  readonly state: State;
  readonly version: number;
}

/** By `keyOf`. */
export type Presents = ReadonlyMap<string, Present>;

const stepKey = ({ resource, event }: StepBack): string =>
  keyOf({ resource: resource.name, id: event.streamId });

/** The records of these steps as they are now; undefined if they must be loaded first. */
export function presentsOf(view: PracticeView, steps: readonly StepBack[]): Presents | undefined {
  const presents = new Map<string, Present>();
  let isMissing = false;
  for (const resource of new Set(steps.map((step) => step.resource))) {
    const ids = [
      ...new Set(steps.filter((step) => step.resource === resource).map(({ event }) => event.streamId)),
    ];
    const found = recordsIn(view, resource, { column: 'id', values: ids });
    const versions = versionsIn(view, resource, ids);
    if (found === undefined || versions === undefined) isMissing = true;
    else addPresents(presents, { resource, ids, found, versions });
  }
  return isMissing ? undefined : presents;
}

function addPresents(
  presents: Map<string, Present>,
  {
    resource,
    ids,
    found,
    versions,
  }: {
    readonly resource: Resource;
    readonly ids: readonly string[];
    readonly found: readonly Versioned[];
    readonly versions: ReadonlyMap<string, number>;
  },
): void {
  const byId = new Map(found.map((record) => [String(record.row['id']), record.row]));
  for (const id of ids)
    presents.set(keyOf({ resource: resource.name, id }), {
      state: byId.get(id) ?? null,
      version: versions.get(id) ?? 0,
    });
}

export interface PlannedStep {
  readonly step: StepBack;
  readonly intent: Intent;
}

export type Planned =
  | { readonly kind: 'steps'; readonly steps: readonly PlannedStep[] }
  | { readonly kind: 'conflict'; readonly step: StepBack; readonly columns: readonly string[] };

/** The intent of each step, in order; a step that changes nothing has none. */
export function* plannedSteps(
  steps: readonly StepBack[],
  presents: Presents,
  isForced: boolean,
): Steps<Planned> {
  const states = new Map([...presents].map(([key, { state }]) => [key, state]));
  const planned: PlannedStep[] = [];
  for (const step of steps) {
    yield;
    const key = stepKey(step);
    const state = states.get(key) ?? null;
    const outcome = takeBack(step, state, isForced);
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

const versionIn = (presents: Presents, key: string): number => presents.get(key)?.version ?? 0;

/** The version is that before the first step of the record; the decision counts from there. */
const intentOf = ({ event }: StepBack, command: Intent['command'], present: Present): Intent => ({
  ...{ id: event.streamId, command, ...present },
  undoes: event.metadata.changeId ?? '',
});
