// The words in which services hear of each other: every event type with its data, derived from the definitions.

import { eventDataSchema } from '@practice/resource';
import type { Aggregate, EventsOf } from '@practice/resource';
import { publishers } from './definitions.js';

type Publisher = (typeof publishers)[number];

type All<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer Every) => void
  ? Every
  : never;

type Every = All<EventsOf<Publisher>>;

/**
 * Event type → its data as it is published: columns of the record, without those that never leave their service.
 * The first event of a record holds all of them, a change those that changed, a deletion none.
 */
export type PracticeEvents = { readonly [Type in keyof Every]: Every[Type] };

/** An event type of the catalogue. */
export interface EventType {
  readonly service: string;
  readonly aggregate: string;
  readonly type: keyof PracticeEvents;
  /** What the aggregate is. */
  readonly about: string;
  /** JSON Schema (draft 07) of its data. */
  readonly data: object;
}

/** Every event type that is published, in the order of the definitions. */
export const eventTypes: readonly EventType[] = publishers.flatMap((publisher: Aggregate) =>
  Object.keys(publisher.events).map((type) => ({
    service: publisher.service,
    aggregate: publisher.aggregate,
    type: type as keyof PracticeEvents,
    about: publisher.description,
    data: eventDataSchema(publisher, type),
  })),
);
