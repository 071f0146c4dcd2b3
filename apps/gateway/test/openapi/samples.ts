// A record of any resource, made up from its definition: a new resource is described and tried by being in the catalog.

import { formats, visibleColumns } from '@practice/resource';
import type { Column, Resource } from '@practice/resource';

/**
 * The smallest body that a resource takes.
 * @param ids of a record of each resource that it may refer to
 */
export function sampleOf(resource: Resource, ids: ReadonlyMap<string, string>): Record<string, unknown> {
  const needed = visibleColumns(resource).filter(
    ([, { required, requiredUnless, readOnly }]) =>
      readOnly !== true && (required === true || requiredUnless !== undefined),
  );
  const isSeries = needed.some(([, { format }]) => format === 'recurrence');
  const sample = Object.fromEntries(needed.map(([name, column]) => [name, valueOf(column, ids)]));
  // Its appointments must not meet the others.
  return isSeries ? { ...sample, start_time: '06:00', end_time: '06:50' } : sample;
}

const values: Readonly<Record<string, unknown>> = {
  text: 'Ada, “the first”',
  integer: 50,
  decimal: 110.1,
  boolean: true,
  date: '2030-01-07',
  timeOfDay: '09:00',
  timestamp: '2030-01-07T09:00:00Z',
  json: { thread: 1 },
};

function valueOf(
  { kind, oneOf, references, after, format }: Column,
  ids: ReadonlyMap<string, string>,
): unknown {
  if (oneOf !== undefined) return oneOf[0];
  if (references !== undefined) return ids.get(references);
  if (format !== undefined) return formats[format].example(0);
  return kind.name === 'timeOfDay' && after !== undefined ? '09:50' : values[kind.name];
}

/** Resources in an order in which what is referred to comes first. */
export function inOrder(resources: readonly Resource[]): Resource[] {
  const needs = (resource: Resource): string[] =>
    visibleColumns(resource).flatMap(([, { references, required }]) =>
      references === undefined || required !== true ? [] : [references],
    );
  return resources.toSorted((one, other) => Number(needs(one).length > 0) - Number(needs(other).length > 0));
}
