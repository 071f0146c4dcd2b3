// The events that a change of columns makes.

import type { Event } from '@practice/core';
import type { EventShapes } from './event-shapes.js';
import type { EventOf, EventTypesWith } from './facts.js';
import type { Columns } from './column.js';
import type { ColumnsOf, Row, RowOf } from './row.js';
import type { Value } from './kind.js';

type IsUnion<T, Each = T> = [T] extends [never]
  ? false
  : Each extends unknown
    ? [T] extends [Each]
      ? false
      : true
    : never;

/** Columns that several change events hold. */
type Ambiguous<D> = {
  [K in keyof ColumnsOf<D>]: IsUnion<EventTypesWith<D, K>> extends true ? K : never;
}[keyof ColumnsOf<D>];

/** For each column that several change events hold: which of them a new value makes. */
export type EventChoice<D> = {
  readonly [K in Ambiguous<D> & keyof RowOf<D>]: (value: RowOf<D>[K]) => EventTypesWith<D, K>;
};

/** A definition as far as its events are concerned. */
interface Definition {
  readonly columns: Columns;
  readonly events: EventShapes;
}

type Choices<D> = Record<never, never> extends EventChoice<D> ? [] : [choice: EventChoice<D>];

/**
 * The events of a change: one for each event type that holds some of the changed columns, in the definition's order.
 * Internal columns go with the first of them.
 * @param choice for each column that several event types hold, which of them a new value makes
 * @throws {Error} when no event holds one of the columns
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
  const internal: Record<string, Value> = {};
  for (const [name, value] of Object.entries(changes)) {
    if (columns[name]?.internal === true) {
      internal[name] = value;
      continue;
    }
    const type = choice[name]?.(value) ?? onlyTypeWith(events, name);
    const data = changed.get(type);
    if (data === undefined) changed.set(type, { [name]: value });
    else data[name] = value;
  }
  return Object.keys(events)
    .filter((type) => changed.has(type))
    .map((type, index) => ({ type, data: { ...changed.get(type), ...(index === 0 ? internal : {}) } }));
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

const lifecycles = new WeakMap<EventShapes, { created: string[]; deleted: string[] }>();

/** The event types that begin and end the streams of an aggregate. */
export function lifecycleOf({ events }: { readonly events: EventShapes }): {
  readonly created: readonly string[];
  readonly deleted: readonly string[];
} {
  const known = lifecycles.get(events);
  if (known !== undefined) return known;
  const typesWith = (shape: string): string[] => Object.keys(events).filter((type) => events[type] === shape);
  const lifecycle = { created: typesWith('created'), deleted: typesWith('deleted') };
  lifecycles.set(events, lifecycle);
  return lifecycle;
}

/** The event types that begin and end a stream, and whether there are any. */
export function eventTypeWith({ events }: Definition, shape: 'created' | 'deleted'): string | undefined {
  return Object.keys(events).find((type) => events[type] === shape);
}
