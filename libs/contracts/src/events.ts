// The published event types with their data, derived from the definitions.

import type { RecordedEvent } from '@practice/core';
import { column, eventDataSchema, publishedData, upcast, versionOf } from '@practice/resource';
import type { Aggregate, PublishedEvents, RowOf } from '@practice/resource';
import { definitions } from './catalog.js';
import { LOG_RESTORED } from './streams.js';

type All<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer Every) => void
  ? Every
  : never;

type Every = All<PublishedEvents<(typeof definitions)[number]>>;

/**
 * Event type → its published data: the columns of the record that may leave the service.
 * The first event of a record has all of these columns, a change has the changed columns, and a deletion has none.
 */
export type PracticeEvents = { readonly [Type in keyof Every]: Every[Type] } & {
  readonly [LOG_RESTORED]: LogRestored;
};

/** The event that a practice's log was restored from an older copy. It is about no record. */
const logRestored = {
  columns: {
    epoch: column.bigint({
      required: true,
      min: 1,
      description: 'The epoch that begins: the time of the restoration in Unix seconds.',
    }),
    after: column.bigint({
      required: true,
      min: 0,
      description: 'The last position that is still the same. Events behind it in earlier epochs are gone.',
    }),
  },
  events: { [LOG_RESTORED]: 'created' },
} as const;

/** The data of `LogRestored`. */
export type LogRestored = RowOf<typeof logRestored>;

/** JSON Schema (draft 07) of `LogRestored`. */
export const logRestoredSchema = eventDataSchema(logRestored, LOG_RESTORED);

/** An event type of the catalogue. */
export type EventType = (typeof eventTypes)[number];

/** The aggregates of a service whose events are published. */
export const aggregatesOf = (service: string): string[] =>
  definitions.filter((definition) => definition.service === service).map(({ aggregate }) => aggregate);

/** Every event type that is published, in the order of the definitions. */
export const eventTypes = definitions.flatMap((definition: Aggregate) =>
  Object.keys(definition.events).map((type) => ({
    service: definition.service,
    aggregate: definition.aggregate,
    type: type as keyof PracticeEvents,
    /** The version that is published now. */
    version: versionOf(definition, type),
    /** The aggregate's description. */
    about: definition.description,
    /** JSON Schema (draft 07) of its data. */
    data: eventDataSchema(definition, type),
  })),
);

type Published = Pick<RecordedEvent, 'aggregate' | 'type' | 'data' | 'schemaVersion'> & {
  readonly service: string;
};

/**
 * An event from the bus in the current version of its type, since the stream also has events that were published before the type
 * changed. An event of an unknown aggregate, or in a later version than this program knows, is returned unchanged.
 */
export function currentEvent<E extends Published>(event: E, from: readonly Aggregate[] = definitions): E {
  const definition = from.find(
    ({ service, aggregate }) => service === event.service && aggregate === event.aggregate,
  );
  if (definition === undefined || event.schemaVersion >= versionOf(definition, event.type)) return event;
  const current = upcast(definition, event);
  return { ...current, data: publishedData(definition, current.data) };
}
