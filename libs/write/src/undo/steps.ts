// The work of an undo: a step back for each change of a record, the newest first. Each step leads to a state in which the record
// was before, so the steps retrace its history. The functions are pure.

import { isDeepStrictEqual } from 'node:util';
import type { Steps } from '@practice/core';
import { entries, evolve, upcast, type Command, type Resource, type Row } from '@practice/resource';
import type { LoggedEvent } from './logged-events.js';

/** A step back of one record. `given` are the values that the change gave it, `previous` the values before. */
export type StepBack = {
  readonly resource: Resource;
  /** The earliest event that the step takes back. */
  readonly event: LoggedEvent;
} & (
  | { readonly kind: 'set back'; readonly given: Row; readonly previous: Row }
  | { readonly kind: 'remove'; readonly given: Row }
  | { readonly kind: 'bring back'; readonly previous: Row }
);

/**
 * The steps for these events.
 * @param events the newest first
 * @param resourceOf the resource of an aggregate
 */
export function* stepsBack(
  events: readonly LoggedEvent[],
  resourceOf: (aggregate: string) => Resource,
): Steps<StepBack[]> {
  const steps: StepBack[] = [];
  for (const event of events) {
    const step = stepOf(resourceOf(event.aggregate), event);
    const newer = steps.at(-1);
    const merged = newer && mergedWith(newer, step);
    if (merged === undefined) steps.push(step);
    else steps[steps.length - 1] = merged;
    yield;
  }
  return steps;
}

function stepOf(resource: Resource, event: LoggedEvent): StepBack {
  const { type, schemaVersion, previous } = event;
  const shape = resource.events[type];
  if (shape === undefined) throw new Error(`${resource.name} has no event ${type}`);
  const whole = (data: Row): Row =>
    evolve(resource, null, { type, data: known(resource, data), recordedAt: event.recordedAt }) as Row;
  if (shape === 'deleted') return { kind: 'bring back', resource, event, previous: wholeOf(resource, event) };
  const current = (data: Row): Row => upcast(resource, { type, data, schemaVersion }).data as Row;
  if (shape === 'created' || previous === null)
    return { kind: 'remove', resource, event, given: whole(current(event.data)) };
  const [given, before] = [event.data, previous].map((data) => known(resource, current(data))) as [Row, Row];
  return { kind: 'set back', resource, event, given, previous: before };
}

/** The record that an event has deleted. Columns that were added later have their defaults. */
function wholeOf(resource: Resource, { previous, recordedAt }: LoggedEvent): Row {
  const data = known(resource, previous ?? {});
  const [type = ''] = Object.keys(resource.events).filter((each) => resource.events[each] === 'created');
  return evolve(resource, null, { type, data, recordedAt }) as Row;
}

/** The values without columns that the definition no longer has. */
const known = ({ columns }: Resource, data: Row): Row =>
  Object.fromEntries(Object.entries(data).filter(([name]) => columns[name] !== undefined));

/** Events of one change that follow each other and change one record are one step: their rules look at all of their columns. */
function mergedWith(newer: StepBack, older: StepBack): StepBack | undefined {
  const isOneChange =
    newer.kind === 'set back' &&
    older.kind === 'set back' &&
    newer.resource === older.resource &&
    newer.event.streamId === older.event.streamId &&
    newer.event.metadata.changeId === older.event.metadata.changeId &&
    newer.event.position === older.event.position + 1;
  if (!isOneChange) return undefined;
  return {
    ...older,
    given: { ...older.given, ...newer.given },
    previous: { ...newer.previous, ...older.previous },
  };
}

/** A record after the steps so far; null if it does not exist. */
export type State = Row | null;

export type Outcome =
  | { readonly kind: 'command'; readonly command: Command; readonly next: State }
  | { readonly kind: 'nothing' }
  /** The record has been changed since: in these columns or, without columns, by a deletion or a new creation. */
  | { readonly kind: 'conflict'; readonly columns: readonly string[] };

/** @param isForced whether to set back values that have been changed since, too */
export function takeBack(step: StepBack, state: State, isForced: boolean): Outcome {
  if (step.kind === 'bring back') return bringBack(step.resource, step.previous, { state, isForced });
  if (state === null)
    return step.kind === 'remove' && isForced ? { kind: 'nothing' } : { kind: 'conflict', columns: [] };
  const { resource, given } = step;
  const changed = shown(resource, given).filter((name) => !isSame(state[name], given[name]));
  if (changed.length > 0 && !isForced) return { kind: 'conflict', columns: changed };
  return step.kind === 'remove'
    ? { kind: 'command', command: { kind: 'delete' }, next: null }
    : setTo(resource, state, step.previous);
}

function bringBack(
  resource: Resource,
  record: Row,
  { state, isForced }: { readonly state: State; readonly isForced: boolean },
): Outcome {
  if (state === null)
    return { kind: 'command', command: { kind: 'create', record, isUndo: true }, next: record };
  return isForced ? setTo(resource, state, record) : { kind: 'conflict', columns: [] };
}

function setTo(resource: Resource, state: Row, values: Row): Outcome {
  const changed = shown(resource, values).filter((name) => !isSame(state[name], values[name]));
  if (changed.length === 0) return { kind: 'nothing' };
  const changes = Object.fromEntries(changed.map((name) => [name, values[name] ?? null]));
  return {
    kind: 'command',
    command: { kind: 'change', changes, isUndo: true },
    next: { ...state, ...changes },
  };
}

/**
 * The columns of these values that callers see and may change, and what was copied when they chose a reference: the record that it
 * names may have another value now. The rules decide all other columns.
 */
const shown = (resource: Resource, values: Row): string[] =>
  entries(resource.columns).flatMap(([name, { internal, readOnly, copies }]) =>
    name in values && internal !== true && (readOnly !== true || copies !== undefined) ? [name] : [],
  );

/** Compares values in the canonical forms of their kinds. */
const isSame = (one: unknown, other: unknown): boolean => isDeepStrictEqual(one ?? null, other ?? null);
