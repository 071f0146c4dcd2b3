// The events of a change of columns.

import { type Event, oncePer, problemFor, reject } from '@practice/core';
import { isCarried, type EventShapes } from './event-shapes.js';
import type { EventOf, EventTypesWith, RestoredTypeOf } from './facts.js';
import type { Columns } from './column.js';
import type { ColumnsOf, Row, RowOf } from './row.js';
import type { Value } from './kind.js';
import type { Resource } from './resource.js';

type IsUnion<T, Each = T> = [T] extends [never]
  ? false
  : Each extends unknown
    ? [T] extends [Each]
      ? false
      : true
    : never;

/** Columns that several change events have. */
type Ambiguous<D> = {
  [K in keyof ColumnsOf<D>]: IsUnion<EventTypesWith<D, K>> extends true ? K : never;
}[keyof ColumnsOf<D>];

/** For each column that several change events have: a function that returns the event type of a new value. */
export type EventChoice<D> = {
  readonly [K in Ambiguous<D> & keyof RowOf<D>]: (
    value: RowOf<D>[K],
  ) => EventTypesWith<D, K> | RestoredTypeOf<D>;
};

/** The parts of a definition that its events depend on. */
interface Definition {
  readonly columns: Columns;
  readonly events: EventShapes;
}

type Choices<D> = Record<never, never> extends EventChoice<D> ? [] : [choice: EventChoice<D>];

/**
 * The events of a change: one for each event type that has some of the changed columns, in the order of the definition.
 * Internal and computed columns are part of the first event.
 * @param choice returns the event type of a new value, for each column that several event types have
 * @throws {Error} if no event has one of the columns
 */
export function changedEvents<D extends Definition>(
  definition: D,
  changes: Partial<RowOf<D>>,
  ...choice: Choices<D>
): EventOf<D>[];
export function changedEvents(
  { columns, events }: Definition,
  changes: Row,
  choice: Readonly<Record<string, (value: Value) => string>> = {},
): Event[] {
  const changed = new Map<string, Record<string, Value>>();
  const carried: Record<string, Value> = {};
  for (const [name, value] of Object.entries(changes)) {
    const column = columns[name];
    if (column !== undefined && isCarried(column)) {
      carried[name] = value;
      continue;
    }
    const type = choice[name]?.(value) ?? onlyTypeWith(events, name);
    const data = changed.get(type);
    if (data === undefined) changed.set(type, { [name]: value });
    else data[name] = value;
  }
  return Object.keys(events)
    .filter((type) => changed.has(type))
    .map((type, index) => ({ type, data: { ...changed.get(type), ...(index === 0 ? carried : {}) } }));
}

function onlyTypeWith(events: EventShapes, name: string): string {
  const [type, another] = Object.keys(events).filter((each) => {
    const shape = events[each] ?? [];
    return typeof shape !== 'string' && shape.includes(name);
  });
  if (type === undefined || another !== undefined)
    throw new Error(`${type === undefined ? 'no' : 'more than one'} event of a change holds ${name}`);
  return type;
}

type Lifecycle = Readonly<Record<'created' | 'deleted', readonly string[]>>;
type Lifecycles = Readonly<Record<'living' | 'ended', Lifecycle>>;

/**
 * The event types that create and delete the records of an aggregate.
 * @param state 'ended' for a stream whose record is deleted, which an undo may continue
 */
export const lifecycleOf = (
  { events }: { readonly events: EventShapes },
  state: keyof Lifecycles = 'living',
): Lifecycle => lifecyclesOf(events)[state];

const lifecyclesOf = oncePer(new WeakMap<EventShapes, Lifecycles>(), (events) => {
  const typesWith = (...shapes: readonly unknown[]): string[] =>
    Object.keys(events).filter((type) => shapes.includes(events[type]));
  const deleted = typesWith('deleted');
  return {
    living: { created: typesWith('created'), deleted },
    ended: { created: typesWith('created', 'restored'), deleted },
  };
});

/** The event type of a shape that a definition has at most once. */
export function eventTypeWith(
  { events }: Pick<Definition, 'events'>,
  shape: 'created' | 'deleted' | 'restored',
): string | undefined {
  return Object.keys(events).find((type) => events[type] === shape);
}

/**
 * The event of a change of status.
 * @throws {Rejection} PM001, with the allowed next statuses
 */
export function transition<D extends Resource>(
  { aggregate, transitions = {} }: D,
  from: string,
  to: string,
): EventTypesWith<D, 'status'> {
  const allowed = transitions[from] ?? {};
  const following = Object.keys(allowed).join(', ') || 'no other status';
  const problem = problemFor('PM001', {
    message: `an ${aggregate} cannot go from ${from} to ${to}`,
    hint: `From ${from} it can go to ${following}.`,
  });
  return (allowed[to] as EventTypesWith<D, 'status'> | undefined) ?? reject(problem);
}
