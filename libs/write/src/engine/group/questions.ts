// The values that writes load, each as it is within the group.

import { streamVersions, type TextRow } from '@practice/log';
import type { Lookup, Resource, RowOf } from '@practice/resource';
import { readEntries, readMatch, selectEntries, selectMatches } from '@practice/mirror';
import type { MirrorEntry, MirrorMatch } from '@practice/mirror';
import { readRows, searchRows, type Versioned } from '@practice/storage';
import { idempotencyRow, selectIdempotency } from '../idempotency.js';
import type { Repeatable } from '@practice/query';
import { retryUnbatched, type Load, type LoadKind, type Resumable } from './resumable.js';
import { IDEMPOTENCY, type PracticeView } from './practice-view.js';

const recordsBy = (resource: Resource, column: string, limit: number | undefined): LoadKind<Versioned[]> => ({
  name: `${resource.name}.${column} ${limit ?? ''}`,
  statement: (_, keys) => searchRows(resource, { column, limit }, keys),
  read: (rows) => readRows(resource, rows),
});

const versionOf = ({ service, aggregate }: Resource): LoadKind<number> => ({
  name: `versions of ${aggregate}`,
  statement: (_, keys) => streamVersions(service, aggregate, keys),
  read: ([row]) => Number(row?.[0] ?? 0),
});

const entryOf = (resource: string): LoadKind<MirrorEntry[]> => ({
  name: `mirror of ${resource}`,
  statement: (service, keys) => selectEntries(service, resource, keys),
  read: (rows) => readEntries(resource, rows),
});

const matchOf = (resource: string, column: string): LoadKind<MirrorMatch> => ({
  name: `mirror of ${resource} by ${column}`,
  statement: (service, keys) => selectMatches(service, { resource, column }, keys),
  read: (rows, value) => readMatch({ resource, column, value }, rows),
});

const idempotencyRecord: LoadKind<readonly TextRow[]> = {
  name: IDEMPOTENCY,
  statement: selectIdempotency,
  read: (rows) => rows,
};

type Searched = Pick<Lookup, 'column' | 'values' | 'limit'>;

/** The loads behind `records`. */
export const recordLoads = (
  view: PracticeView,
  resource: Resource,
  { column, values, limit }: Searched,
): Load[] => view.loadsOf(recordsBy(resource, column, limit), values);

/** The records of this service that a lookup finds. */
export function records<D extends Resource>(
  view: PracticeView,
  resource: D,
  searched: Searched,
): Resumable<Versioned<RowOf<D>>[]>;
export function* records(
  view: PracticeView,
  resource: Resource,
  { column, values, limit }: Searched,
): Resumable<Versioned[]> {
  const stored = (yield* view.get(recordsBy(resource, column, limit), values)).flat();
  const staged = view.staged.of(resource.name);
  if (staged.size === 0) return stored;
  // A limited lookup has found only some of the records, perhaps only the ones that this group has changed.
  if (limit !== undefined) return yield* retryUnbatched();
  const untouched = stored.filter(({ row }) => !staged.has(String(row['id'])));
  const decided = [...staged.values()].flatMap(({ state: row, version }) =>
    row !== null && values.includes(String(row[column])) ? [{ row, version }] : [],
  );
  return [...untouched, ...decided];
}

/** The loads behind `versions`. */
export const versionLoads = (view: PracticeView, resource: Resource, ids: readonly string[]): Load[] =>
  view.loadsOf(versionOf(resource), ids);

/** The last versions of these records' streams, 0 for a record that never existed. */
export function* versions(
  view: PracticeView,
  resource: Resource,
  ids: readonly string[],
): Resumable<ReadonlyMap<string, number>> {
  const stored = yield* view.get(versionOf(resource), ids);
  const staged = view.staged.of(resource.name);
  return new Map(ids.map((id, index) => [id, staged.get(id)?.version ?? stored[index] ?? 0]));
}

/** The loads behind `mirrorEntries` and `mirrorMatches`. */
export const mirrorLoads = (
  view: PracticeView,
  { resource, column, values }: Pick<Lookup, 'resource' | 'column' | 'values'>,
): Load[] =>
  column === 'id' ? view.loadsOf(entryOf(resource), values) : view.loadsOf(matchOf(resource, column), values);

/** The mirror's entries for these records of another service. */
export function* mirrorEntries(
  view: PracticeView,
  resource: string,
  ids: readonly string[],
): Resumable<MirrorEntry[]> {
  return (yield* view.get(entryOf(resource), ids)).flat();
}

/** The mirror's records of another service with these values in a column. */
export const mirrorMatches = (
  view: PracticeView,
  { resource, column, values }: Pick<Lookup, 'resource' | 'column' | 'values'>,
): Resumable<MirrorMatch[]> => view.get(matchOf(resource, column), values);

/** The load behind `idempotencyRows`. */
export const idempotencyLoads = (view: PracticeView, { key }: Repeatable): Load[] =>
  view.loadsOf(idempotencyRecord, [key]);

/** The response that is stored under a key, as a row or none. It has been prefetched. */
export function idempotencyRows(view: PracticeView, { key }: Repeatable): readonly TextRow[] {
  const staged = view.idempotency.get(key);
  return staged === undefined ? view.prefetched(idempotencyRecord, key) : [idempotencyRow(staged)];
}
