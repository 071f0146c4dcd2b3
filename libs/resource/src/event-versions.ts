// Event types in a definition: the columns and the version of each type, and the conversion of earlier versions to the current one.

import type { RecordedEvent } from '@practice/core';
import { spellOut, type DefinedShape, type SpelledShapes } from './event-shapes.js';
import type { Columns } from './column.js';

export type EventData = Readonly<Record<string, unknown>>;

/**
 * Converts data of one version to the next version. The log keeps every version for ever, so an upcaster is never removed.
 * Data from the bus lack confidential and internal columns, so every member may be missing.
 */
export type Upcast<Earlier extends object, Later extends object> = (
  data: Readonly<Partial<Earlier>>,
) => Readonly<Partial<Later>>;

/** An upcaster between any versions. A caller must cast the data that it passes. */
type AnyUpcast = (data: never) => object;

/** An event type whose shape has changed. An event type that is only a shape has version 1. */
export interface VersionedEvent<Name extends string = string> {
  readonly shape: DefinedShape<Name>;
  /** 1, 2, 3 …: the version that is written now. */
  readonly version: number;
  /** Earlier version → the function that converts its data to the next version. */
  readonly upcast: Readonly<Record<number, AnyUpcast>>;
}

/** Event types as a definition writes them. */
export type EventDefinitions<Name extends string = string> = Readonly<
  Record<string, DefinedShape<Name> | VersionedEvent<Name>>
>;

/** Event type → its current shape. */
export type ShapesOf<Own, Events> = SpelledShapes<Own, Unversioned<Events>>;

type Unversioned<Events> = {
  readonly [T in keyof Events]: Events[T] extends { readonly shape: infer Shape } ? Shape : Events[T];
};

/** Event type → its version and upcasters. A type that is not listed has version 1. */
export type Versions = Readonly<Record<string, Pick<VersionedEvent, 'version' | 'upcast'>>>;

/** Anything that has event types. */
interface HasEvents {
  readonly aggregate: string;
  readonly versions: Versions;
}

/**
 * Splits the event types of a definition into shapes and versions.
 * @throws {Error} naming the event if a version has no upcaster, or an upcaster has no version; naming the column if an
 *   event has a column that the definition does not have
 */
export function readEvents<Own extends Columns, Events extends EventDefinitions>(
  name: string,
  columns: Own,
  events: Events,
): { events: ShapesOf<Own, Events>; versions: Versions } {
  const all: [string, DefinedShape | VersionedEvent][] = Object.entries(events);
  const changed = all.flatMap(([type, event]) => (isVersioned(event) ? [[type, event] as const] : []));
  for (const [type, { version, upcast }] of changed) {
    const earlier = Array.from({ length: version - 1 }, (_, index) => String(index + 1));
    if (Object.keys(upcast).join() !== earlier.join())
      throw new Error(
        `${type} is version ${version}: it needs upcasters from ${earlier.join(', ') || 'none'}`,
      );
  }
  const shapes = all.map(([type, event]) => [type, isVersioned(event) ? event.shape : event] as const);
  return {
    events: spellOut(name, columns, Object.fromEntries(shapes)) as ShapesOf<Own, Events>,
    versions: Object.fromEntries(changed.map(([type, { version, upcast }]) => [type, { version, upcast }])),
  };
}

const isVersioned = (event: DefinedShape | VersionedEvent): event is VersionedEvent =>
  typeof event === 'object' && 'shape' in event;

/** The version in which events of a type are written now. */
export const versionOf = ({ versions }: Pick<HasEvents, 'versions'>, type: string): number =>
  versions[type]?.version ?? 1;

/**
 * An event in the current version of its type. Everything that reads a log or the bus reads events through this function.
 * @throws {Error} if the event has a later version than the definition: an older program must not guess the meaning
 */
export function upcast<E extends Pick<RecordedEvent, 'type' | 'data' | 'schemaVersion'>>(
  { aggregate, versions }: HasEvents,
  event: E,
): E {
  const current = versionOf({ versions }, event.type);
  if (event.schemaVersion === current) return event;
  if (event.schemaVersion > current)
    throw new Error(
      `${aggregate}: ${event.type} has version ${event.schemaVersion}; this program knows versions up to ${current}`,
    );
  let data = event.data as EventData;
  for (let version = event.schemaVersion; version < current; version++)
    data = (versions[event.type]?.upcast[version] as Upcast<EventData, EventData>)(data);
  return { ...event, data, schemaVersion: current };
}
