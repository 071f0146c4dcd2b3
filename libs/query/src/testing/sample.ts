// A small catalog for the specs of this package: a column of every kind, an internal column, relations, an append-only resource.

import { catalogOf, column, kinds, resource, type Kind, type Resource } from '@practice/resource';
import { compileRead, parseRequest, planRead, planWrite } from '../index.js';
import type { PlanContext, ReadPlan, RestHeaders, RestRequest, SqlQuery, WritePlan } from '../index.js';

export const practice = '018f0000-0000-7000-8000-00000000000a';
export const otherPractice = '018f0000-0000-7000-8000-00000000000b';

const document: Kind<string> = {
  ...kinds.text,
  name: 'document',
  sqlType: 'jsonb',
  families: ['equality', 'containment'],
};

const visits = resource({
  name: 'visits',
  service: 'house',
  aggregate: 'visit',
  description: 'Visits of guests.',
  columns: {
    day: column.date({ required: true }),
    start_time: column.timeOfDay({ required: true }),
    guest: column.text({}),
    seats: column.integer({ default: 1 }),
    price: column.money({}),
    paid: column.boolean({ default: false }),
    room_id: column.uuid({ references: 'rooms' }),
    extras: { kind: document, nullable: true },
    place: column.integer({ default: 0, internal: true }),
  },
  events: { VisitBooked: 'created', VisitChanged: ['guest'], VisitRemoved: 'deleted' },
  uniques: [
    {
      name: 'visits_place_key',
      columns: ['day', 'place'],
      problem: { code: 'PM900', message: 'the place is taken' },
    },
    { name: 'visits_guest_key', columns: ['guest'] },
  ],
  search: { title: 'guest', in: ['guest'] },
});

const rooms = resource({
  name: 'rooms',
  service: 'house',
  aggregate: 'room',
  description: 'Rooms.',
  columns: { name: column.text({ required: true }) },
  events: { RoomAdded: 'created' },
});

const entries = resource({
  name: 'entries',
  service: 'desk',
  aggregate: 'entry',
  description: 'Notes that are never changed.',
  columns: { content: column.text({ required: true }), visit_id: column.uuid({ references: 'visits' }) },
  events: { EntryWritten: 'created' },
  appendOnly: true,
});

export const sampleContext: PlanContext = {
  catalog: catalogOf([visits, rooms, entries]),
  therapistId: practice,
  practiceRole: 'owner',
};

export const sampleVisits = sampleContext.catalog.resources.get('visits') as Resource;

export interface Sample {
  readonly method?: string;
  readonly resource?: string;
  readonly headers?: RestHeaders;
  readonly body?: unknown;
}

/** A request to `visits`, unless the sample says otherwise. */
export function requestOf(
  query: string,
  { method = 'GET', resource = 'visits', headers = {}, body }: Sample = {},
): RestRequest {
  const bytes = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  return { method, resource, query, headers, body: new TextEncoder().encode(bytes) };
}

export const readOf = (query: string, sample?: Sample): ReadPlan =>
  planRead(parseRequest(requestOf(query, sample)), sampleContext);

export const writeOf = (query: string, sample: Sample): WritePlan =>
  planWrite(parseRequest(requestOf(query, sample)), sampleContext);

export const sqlOf = (query: string, sample?: Sample): SqlQuery =>
  compileRead(readOf(query, sample), practice);
