// `fixtures/events.jsonl` has stored events of every shape that was ever released and so may be in a log. A test folds them, so it
// fails for a change that cannot read them. `npm run generate` only adds lines.

import { formats, holds, versionOf, isDetached, type Aggregate, type Column } from '@practice/resource';

/** A line of the fixture: the parts of a stored event that the fold needs. */
export interface StoredEvent {
  readonly service: string;
  readonly aggregate: string;
  /** The name of the stream. Each event type and version has a stream: a record is created, then the event happens. */
  readonly stream: string;
  readonly version: number;
  readonly type: string;
  readonly schemaVersion: number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly recordedAt: string;
}

/** The name of an event type in one version. The fixture has lines for each name. */
const shapeName = (service: string, type: string, version: number): string =>
  `${service} ${type} v${version}`;

/** The streams that a fixture lacks: one for each event type whose current version it does not have. */
export function missingStreams(
  aggregates: readonly Aggregate[],
  stored: readonly StoredEvent[],
): StoredEvent[] {
  const known = new Set(
    stored.map(({ service, type, schemaVersion }) => shapeName(service, type, schemaVersion)),
  );
  return aggregates.flatMap((aggregate) =>
    Object.keys(aggregate.events)
      .filter((type) => !known.has(shapeName(aggregate.service, type, versionOf(aggregate, type))))
      .flatMap((type) => streamOf(aggregate, type)),
  );
}

/** A stream with the creation of a record and then the event, or only the creation if it is the event. */
function streamOf(aggregate: Aggregate, type: string): StoredEvent[] {
  const created = Object.keys(aggregate.events).find((each) => aggregate.events[each] === 'created');
  const types = type === created || created === undefined ? [type] : [created, type];
  const stream = shapeName(aggregate.service, type, versionOf(aggregate, type));
  return types.map((each, index) => ({
    service: aggregate.service,
    aggregate: aggregate.aggregate,
    stream,
    version: index + 1,
    type: each,
    schemaVersion: versionOf(aggregate, each),
    data: dataOf(aggregate, each, index),
    recordedAt: `2026-05-01T08:00:0${index}+00:00`,
  }));
}

function dataOf({ columns, events }: Aggregate, type: string, index: number): StoredEvent['data'] {
  const shape = events[type] ?? [];
  const names = Object.keys(columns).filter((name) => holds(shape, name));
  return Object.fromEntries(names.map((name) => [name, sampleOf(columns[name] as Column, index)]));
}

const samples: Record<string, (index: number) => unknown> = {
  uuid: (index) => `018f0000-0000-7000-8000-00000000000${index}`,
  text: (index) => `text ${index}`,
  bigint: (index) => index + 1,
  decimal: (index) => `${index + 1}.50`,
  boolean: (index) => index % 2 === 1,
  date: (index) => `2026-05-0${index + 1}`,
  dates: (index) => [`2026-05-0${index + 1}`, `2026-06-0${index + 1}`],
  timeOfDay: (index) => `0${index + 8}:00`,
  timestamp: (index) => `2026-05-01T08:00:0${index}+00:00`,
  json: (index) => ({ index }),
  texts: (index) => [`text ${index}`],
};

/** A valid value of a column, which differs by index. @throws {Error} for a kind without a sample */
function sampleOf(column: Column, index: number): unknown {
  const { kind, oneOf, format, after, min = 1 } = column;
  if (isDetached(column)) return null;
  if (oneOf !== undefined) return oneOf[index % oneOf.length];
  if (format !== undefined) return formats[format].example(index);
  if (kind.name === 'integer') return index + Math.max(min, 1);
  if (after !== undefined) return `1${index}:30`;
  const sample = samples[kind.name];
  if (sample === undefined) throw new Error(`there is no sample of the kind ${kind.name}`);
  return sample(index);
}
