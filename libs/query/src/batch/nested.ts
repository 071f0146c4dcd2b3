// Records within records: `insert([{ name, appointments: [{ date, … }] }])`. Each level is one operation of a batch. The ids of outer
// records are chosen here, so that the records in them can refer to these ids.

import { newId, problemFor, reject, type Problem } from '@practice/core';
import type { Catalog, Resource } from '@practice/resource';
import { limits } from '../limits.js';
import { tooManyRows } from '../problems.js';
import { isJsonType, isRow, type BodyRow } from '../parse/body.js';
import { parametersOf } from '../parse/query-string.js';
import type { ParsedRequest, RestRequest } from '../parse/request.js';
import { chosenColumns, namesRelation, parseNestedColumns, referenceTo } from './nested-columns.js';
import type { Level, NestedColumn, Wanted } from './nested-columns.js';

/** The records of one level, in the order of the body. */
export interface NestedLevel {
  /** From 0, depth first. */
  readonly number: number;
  readonly resource: Resource;
  /** The names of the columns that the rows have. */
  readonly columns: readonly string[];
  readonly rows: readonly BodyRow[];
  /** Where each row is in the body: `clients[0].appointments[1]`. */
  readonly places: readonly string[];
  /** Columns whose values are ids of records of earlier levels. */
  readonly keys: readonly string[];
  /** The number of the level above, and for each row the index of its outer row there; null for the first level. */
  readonly within: { readonly level: number; readonly name: string; readonly rows: readonly number[] } | null;
  /** Whether these records contain records of other levels. If so, each of them has an id. */
  readonly isOuter: boolean;
}

/**
 * The levels of a nested insert, the outermost first; null for any other request.
 * @param resource the resource that the request names
 * @throws {Rejection} PGRST100, PGRST200, PGRST201, PGRST204, PM400, PM413
 */
export function nestedLevels(
  { query, headers }: Pick<RestRequest, 'query' | 'headers'>,
  request: ParsedRequest,
  { resource, catalog }: { readonly resource: Resource; readonly catalog: Catalog },
): readonly NestedLevel[] | null {
  if (request.method !== 'POST' || !isJsonType(headers['content-type'])) return null;
  const wanted = wantedOf(query, request, { resource, catalog });
  if (wanted === null) return null;
  const { rows, preferences } = request;
  if (preferences.resolution !== null) reject(onlyCreates);
  const reading = new Reading(catalog);
  const first = rows.map((row, index) => ({ row, place: `${resource.name}[${index}]`, ids: NO_IDS, at: 0 }));
  reading.read({ resource, path: resource.name, depth: 0 }, wanted, first);
  return reading.levels;
}

/** The names of the first level; null unless there is a relation among them. */
function wantedOf(
  query: string,
  { rows: [row = {}], options }: ParsedRequest,
  { resource, catalog }: { readonly resource: Resource; readonly catalog: Catalog },
): Wanted {
  const text = parametersOf(query).find(({ key }) => key === 'columns')?.value ?? '';
  if (text.includes('(')) return parseNestedColumns(text);
  const names = options.columns ?? Object.keys(row);
  return namesRelation(resource, names, catalog) ? names : null;
}

interface Placed {
  readonly row: BodyRow;
  readonly place: string;
  /** The ids of the records that contain the row, by resource. */
  readonly ids: ReadonlyMap<string, string>;
  /** The index of the outer row in the level above. */
  readonly at: number;
}

interface Place extends Level {
  readonly within?: { readonly level: number; readonly name: string; readonly key: string };
}

const NO_IDS: ReadonlyMap<string, string> = new Map();

class Reading {
  readonly levels: NestedLevel[] = [];
  private count = 0;

  constructor(private readonly catalog: Catalog) {}

  /** Depth first, so that the records of a level refer only to earlier levels. */
  read(place: Place, wanted: Wanted, placed: readonly Placed[]): void {
    this.checkCount(placed.length);
    this.count += placed.length;
    const { resource, within } = place;
    const rows = placed.map(({ row }) => row);
    const { own, nested } = chosenColumns(place, { wanted, rows }, this.catalog);
    const isOuter = nested.length > 0;
    const keys = keysOf(place, placed);
    const columns = [...new Set([...own, ...keys.keys(), ...(isOuter ? ['id'] : [])])];
    const written = placed.map((one) => writtenRow(one, { own, keys, isOuter }));
    const level = this.levels.length;
    this.levels.push({
      ...{ number: level, resource, columns, rows: written, keys: [...keys.keys()], isOuter },
      places: placed.map(({ place: where }) => where),
      within: within === undefined ? null : { ...within, rows: placed.map(({ at }) => at) },
    });
    for (const column of nested) this.readNested(place, column, { level, placed, written });
  }

  private checkCount(more: number): void {
    if (this.count + more > limits.writtenRows) reject(tooManyRows(limits.writtenRows));
  }

  private readNested(
    { resource, path, depth }: Place,
    { name, relation, wanted }: NestedColumn,
    above: {
      readonly level: number;
      readonly placed: readonly Placed[];
      readonly written: readonly BodyRow[];
    },
  ): void {
    const found = above.placed.map(({ row, place }) => rowsIn(row[name], `${place}.${name}`));
    this.checkCount(found.reduce((sum, { length }) => sum + length, 0));
    const inner = above.placed.flatMap(({ place, ids }, at) =>
      (found[at] ?? []).map((one, index): Placed => {
        const id = String(above.written[at]?.['id']);
        return {
          row: one,
          place: `${place}.${name}[${index}]`,
          ids: new Map([...ids, [resource.name, id]]),
          at,
        };
      }),
    );
    if (inner.length === 0) return;
    const within = { level: above.level, name, key: relation.there };
    this.read(
      { resource: relation.resource, path: `${path}.${name}`, depth: depth + 1, within },
      wanted,
      inner,
    );
  }
}

/** The columns that refer to the outer records of a row, each with the resource that it refers to. */
function keysOf({ resource, within }: Place, [first]: readonly Placed[]): Map<string, string> {
  const around = [...(first?.ids.keys() ?? [])];
  const keys = new Map<string, string>();
  for (const name of around) {
    const column = name === around.at(-1) ? (within?.key ?? null) : referenceTo(resource, name);
    if (column !== null) keys.set(column, name);
  }
  return keys;
}

function writtenRow(
  { row, place, ids }: Placed,
  { own, keys, isOuter }: { own: readonly string[]; keys: ReadonlyMap<string, string>; isOuter: boolean },
): BodyRow {
  const values: Record<string, unknown> = {};
  for (const name of own) if (Object.hasOwn(row, name)) values[name] = row[name];
  if (isOuter) values['id'] = row['id'] ?? newId();
  for (const [column, resource] of keys) {
    const [given, id] = [row[column] ?? null, ids.get(resource)];
    if (given !== null && given !== id) reject(setByOuter(place, column));
    values[column] = id;
  }
  return values;
}

/** @throws {Rejection} PM400 for anything but an array of objects; null counts as an empty array */
function rowsIn(value: unknown, place: string): readonly BodyRow[] {
  if (value === null || value === undefined) return [];
  if (!Array.isArray(value) || !value.every(isRow)) return reject(notRows(place));
  return value;
}

const notRows = (place: string): Problem =>
  problemFor('PM400', {
    message: `"${place.split('.').at(-1)}" takes an array of objects`,
    details: `In ${place}.`,
  });

const setByOuter = (place: string, column: string): Problem =>
  problemFor('PM400', {
    message: `"${column}" is the id of the record around, and cannot be another one`,
    details: `In ${place}.`,
  });

const onlyCreates = problemFor('PM400', {
  message: 'records within records are created, never merged with existing ones',
  hint: 'Leave out Prefer: resolution=…, or upsert each resource by itself.',
});
