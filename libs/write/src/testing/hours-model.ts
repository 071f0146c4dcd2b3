// Opening hours and the writes to them as a pure model: one write after another.

import fc from 'fast-check';
import type { Sent } from './write-fixture.js';

export interface Span {
  readonly day: string;
  readonly opens: number;
  readonly closes: number;
}

/** By id: the span, null once it is deleted, and the version of its stream. */
export type Hours = ReadonlyMap<string, { readonly span: Span | null; readonly version: number }>;

export const emptyDay: Hours = new Map();

export type Operation =
  | { readonly kind: 'add' | 'put'; readonly id: string; readonly span: Span }
  | { readonly kind: 'add both'; readonly ids: readonly string[]; readonly spans: readonly Span[] }
  | { readonly kind: 'move'; readonly id: string; readonly span: Span; readonly version?: number }
  | { readonly kind: 'move day'; readonly from: string; readonly to: string }
  | { readonly kind: 'remove'; readonly id: string };

const ids = [1, 2, 3, 4].map((digit) => `${String(digit).repeat(8)}-0000-4000-8000-000000000000`);
const id = fc.constantFrom(...ids);
const day = fc.constantFrom('monday', 'tuesday');
const span: fc.Arbitrary<Span> = fc
  .record({ day, opens: fc.integer({ min: 8, max: 11 }), length: fc.constantFrom(1, 1, 2) })
  .map(({ day: on, opens, length }) => ({ day: on, opens, closes: opens + length }));

export const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('add'), id, span }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('put'), id, span }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('move'), id, span }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('move'), id, span, version: fc.integer({ min: 1, max: 3 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('move day'), from: day, to: day }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove'), id }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('add both'),
      ids: fc.shuffledSubarray(ids, { minLength: 2, maxLength: 2 }),
      spans: fc.tuple(span, span),
    }),
  },
) as fc.Arbitrary<Operation>;

const hour = (value: number): string => `${String(value).padStart(2, '0')}:00`;
const columnsOf = ({ day: on, opens, closes }: Span) => ({
  day_of_week: on,
  open_time: hour(opens),
  close_time: hour(closes),
});

/** The request that asks for an operation. */
export function sentBy(operation: Operation): Sent {
  switch (operation.kind) {
    case 'add':
      return { method: 'POST', body: { id: operation.id, ...columnsOf(operation.span) } };
    case 'add both':
      return {
        method: 'POST',
        body: operation.spans.map((one, index) => ({ id: operation.ids[index], ...columnsOf(one) })),
      };
    case 'put':
      return {
        method: 'PUT',
        query: `id=eq.${operation.id}`,
        body: { id: operation.id, ...columnsOf(operation.span) },
      };
    case 'move': {
      const { version } = operation;
      const condition = version === undefined ? {} : { ifMatch: `"${version}"` };
      const body = columnsOf(operation.span);
      return { method: 'PATCH', query: `id=eq.${operation.id}`, body, ...condition };
    }
    case 'move day':
      return {
        method: 'PATCH',
        query: `day_of_week=eq.${operation.from}`,
        body: { day_of_week: operation.to },
      };
    case 'remove':
      return { method: 'DELETE', query: `id=eq.${operation.id}` };
  }
}

interface Outcome {
  readonly status: number;
  /** The same object if nothing has changed. */
  readonly hours: Hours;
}

/** The response to an operation and the hours after it. */
export function outcomeOf(operation: Operation, hours: Hours): Outcome {
  switch (operation.kind) {
    case 'add':
      return added([[operation.id, operation.span]], hours);
    case 'add both':
      return added(
        operation.ids.map((one, index) => [one, operation.spans[index] as Span]),
        hours,
      );
    case 'put':
      return stored([[operation.id, operation.span]], hours, 204);
    case 'move':
      return moved(operation, hours);
    case 'move day':
      return stored(
        [...hours].flatMap(([one, { span: at }]): [string, Span][] =>
          at?.day === operation.from ? [[one, { ...at, day: operation.to }]] : [],
        ),
        hours,
        204,
      );
    case 'remove':
      return {
        status: 204,
        hours: spanOf(hours, operation.id) === null ? hours : replaced(hours, operation.id, null),
      };
  }
}

const spanOf = (hours: Hours, one: string): Span | null => hours.get(one)?.span ?? null;

function added(records: readonly (readonly [string, Span])[], hours: Hours): Outcome {
  return records.some(([one]) => spanOf(hours, one) !== null)
    ? { status: 409, hours }
    : stored(records, hours, 201);
}

function moved({ id: one, span: to, version }: Extract<Operation, { kind: 'move' }>, hours: Hours): Outcome {
  const record = hours.get(one);
  if (version !== undefined && (spanOf(hours, one) === null || record?.version !== version))
    return { status: 412, hours };
  return spanOf(hours, one) === null ? { status: 204, hours } : stored([[one, to]], hours, 204);
}

function stored(records: readonly (readonly [string, Span])[], hours: Hours, status: number): Outcome {
  const changed = records.filter(([one, at]) => JSON.stringify(spanOf(hours, one)) !== JSON.stringify(at));
  const next = changed.reduce((before, [one, at]) => replaced(before, one, at), hours);
  return isOverlapping(next) ? { status: 409, hours } : { status, hours: next };
}

const replaced = (hours: Hours, one: string, at: Span | null): Hours =>
  new Map(hours).set(one, { span: at, version: (hours.get(one)?.version ?? 0) + 1 });

function isOverlapping(hours: Hours): boolean {
  const spans = [...hours.values()].flatMap(({ span: at }) => at ?? []);
  return spans.some((one, index) =>
    spans
      .slice(index + 1)
      .some((other) => one.day === other.day && one.opens < other.closes && other.opens < one.closes),
  );
}
