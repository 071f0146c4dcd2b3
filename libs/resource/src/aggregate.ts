// An aggregate as other services see it: its event types, and their data on the bus.

import type { RecordedEvent } from '@practice/core';
import type { Column, Columns } from './column.js';
import { type EventData, upcast, type Versions } from './event-versions.js';
import { holds, isCarried, type EventShape, type EventShapes } from './event-shapes.js';
import { entries, pickBy, type Row, type RowOf } from './row.js';
import { recordedSchema } from './schema.js';
import type { Resource } from './resource.js';

/** An aggregate: the part of a resource that other services know. */
export interface Aggregate<Own extends Columns = Columns, Shapes extends EventShapes = EventShapes> {
  readonly service: string;
  /** The category of its streams: singular. */
  readonly aggregate: string;
  readonly description: string;
  readonly columns: Own;
  readonly events: Shapes;
  readonly versions: Versions;
}

/** Columns that may leave the service. */
type Published<D> = {
  readonly [
    K in keyof RowOf<D> as ColumnOf<D, K> extends
      | { readonly confidential: true }
      | { readonly internal: true }
      ? never
      : K
  ]: RowOf<D>[K];
};

type ColumnOf<D, K> = D extends { readonly columns: infer C } ? C[K & keyof C] : never;

type PublishedData<D, Shape> = Shape extends 'created'
  ? Published<D>
  : Shape extends 'deleted'
    ? Readonly<Record<never, never>>
    : Shape extends 'restored'
      ? Partial<Published<D>>
      : Shape extends readonly (infer K)[]
        ? Partial<Pick<Published<D>, K & keyof Published<D>>>
        : never;

/** Event type of an aggregate → its data on the bus. `EventOf` is the same within the service. */
export type PublishedEvents<D> = D extends { readonly events: infer Shapes }
  ? { readonly [T in keyof Shapes & string]: PublishedData<D, Shapes[T]> }
  : never;

/** Whether a column's values may leave the service. */
const isPublished = ({ confidential, internal }: Column): boolean =>
  confidential !== true && internal !== true;

/** The data of an event that may leave the service. */
export const publishedData = ({ columns }: Pick<Aggregate, 'columns'>, data: object): EventData =>
  pickBy(data as Row, (name) => columns[name] !== undefined && isPublished(columns[name]));

/**
 * JSON Schema (draft 07) of an event's data on the bus.
 * `created` has every column, a list has the listed columns that changed, `deleted` has none, and `restored` has some or all columns.
 */
export function eventDataSchema(
  { columns, events }: Pick<Aggregate, 'columns' | 'events'>,
  type: string,
): object {
  const shape = events[type];
  if (shape === undefined) throw new Error(`there is no event ${type}`);
  const held = entries(columns).filter(
    ([name, column]) => isPublished(column) && isHeld(shape, [name, column]),
  );
  return {
    type: 'object',
    properties: Object.fromEntries(held.map(([name, column]) => [name, recordedSchema(column)])),
    ...(shape === 'created' ? { required: held.map(([name]) => name) } : {}),
    additionalProperties: false,
  };
}

const isHeld = (shape: EventShape, [name, column]: readonly [string, Column]): boolean =>
  holds(shape, name) || (shape !== 'deleted' && isCarried(column));

/** An event in the form in which it may leave its service: in the current version, without confidential and internal columns. */
export function publishable(resources: readonly Resource[], event: RecordedEvent): RecordedEvent {
  const resource = resources.find(({ aggregate }) => aggregate === event.aggregate);
  if (resource === undefined) return event;
  const current = upcast(resource, event);
  return { ...current, data: publishedData(resource, current.data) };
}
