// What an aggregate tells others: its event types, and what each holds once it has left the service.

import type { Column } from './column.js';
import { readEvents } from './event-versions.js';
import type { EventData, EventDefinitions, EventShapes, ShapesOf, Versions } from './event-versions.js';
import type { Columns } from './resource.js';
import { entries } from './row.js';
import type { RowOf } from './row.js';
import { recordedSchema } from './schema.js';

/** An aggregate as the bus knows it. Every resource is one; one that nobody can read as rows is defined as such. */
export interface Aggregate<Own extends Columns = Columns, Shapes extends EventShapes = EventShapes> {
  readonly service: string;
  /** The category of its streams: singular. */
  readonly aggregate: string;
  readonly description: string;
  readonly columns: Own;
  readonly events: Shapes;
  readonly versions: Versions;
}

/** Neither confidential nor for the service's own rules alone. */
type Published<A> = {
  readonly [
    K in keyof RowOf<A> as ColumnOf<A, K> extends
      { readonly confidential: true } | { readonly internal: true }
      ? never
      : K
  ]: RowOf<A>[K];
};

type ColumnOf<A, K> = A extends { readonly columns: infer C } ? C[K & keyof C] : never;

type DataOf<A, Shape> = Shape extends 'created'
  ? Published<A>
  : Shape extends 'deleted'
    ? Readonly<Record<never, never>>
    : Shape extends readonly (infer K)[]
      ? Partial<Pick<Published<A>, K & keyof Published<A>>>
      : never;

/** Event type → its data as other services see them, of an aggregate. */
export type EventsOf<A> = A extends { readonly events: infer Shapes }
  ? { readonly [T in keyof Shapes & string]: DataOf<A, Shapes[T]> }
  : never;

type AggregateDefinition<Own extends Columns, Events extends EventDefinitions> = Omit<
  Aggregate<Own>,
  'events' | 'versions'
> & { readonly events: Events };

/**
 * Defines an aggregate that is not a resource.
 * @throws {Error} naming `aggregate.column` when an event holds a column that the aggregate does not have
 */
export function aggregate<const Own extends Columns, const Events extends EventDefinitions>(
  definition: AggregateDefinition<Own, Events>,
): Aggregate<Own, ShapesOf<Events>> {
  const { events, versions } = readEvents(definition.events);
  for (const shape of Object.values<EventShapes[string]>(events))
    for (const name of typeof shape === 'string' ? [] : shape)
      if (!(name in definition.columns)) throw new Error(`${definition.aggregate}.${name}: no such column`);
  return { ...definition, events, versions };
}

/** Whether a column's values may leave the service. */
export const isPublished = ({ confidential, internal }: Column): boolean =>
  confidential !== true && internal !== true;

/** Data of an event as they may leave the service. */
export const publishedData = ({ columns }: Pick<Aggregate, 'columns'>, data: object): EventData =>
  Object.fromEntries(
    Object.entries(data).filter(([name]) => columns[name] !== undefined && isPublished(columns[name])),
  );

/**
 * JSON Schema (draft 07) of an event's data on the bus.
 * `created` holds every column, a list those of its columns that changed, `deleted` nothing.
 */
export function eventDataSchema({ columns, events }: Aggregate, type: string): object {
  const shape = events[type];
  if (shape === undefined) throw new Error(`there is no event ${type}`);
  const held = entries(columns).filter(
    ([name, column]) =>
      isPublished(column) && (shape === 'created' || (shape !== 'deleted' && shape.includes(name))),
  );
  return {
    type: 'object',
    properties: Object.fromEntries(held.map(([name, column]) => [name, recordedSchema(column)])),
    ...(shape === 'created' ? { required: held.map(([name]) => name) } : {}),
    additionalProperties: false,
  };
}
