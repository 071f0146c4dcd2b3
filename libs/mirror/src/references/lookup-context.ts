import type { Lookup, Row, Value } from '@practice/resource';

type Bucket = Map<unknown, Row>;

/** The rows that were looked up by a column. */
interface LoadedColumn {
  /** value → id → row */
  readonly buckets: Map<string, Bucket>;
  /** id → the bucket that has the row, so that a large write finds each row without a search */
  readonly placeOf: Map<unknown, Bucket>;
}

/**
 * The rows that lookups found, updated as the request decides: the second row of a bulk write sees the first.
 * Reading rows that were not looked up is a defect of a decider, not an empty result.
 */
export class LoadedContext {
  /** resource → column → the rows that were looked up by it */
  private readonly loaded = new Map<string, Map<string, LoadedColumn>>();

  load({ resource, column, values }: Lookup, rows: readonly Row[]): void {
    const loaded = this.columnOf(resource, column);
    for (const value of values) if (!loaded.buckets.has(value)) loaded.buckets.set(value, new Map());
    for (const row of rows) put(loaded, row['id'], { value: row[column], row });
  }

  /** @throws {Error} when nothing was looked up by that column and value */
  rows<R = Row>(resource: string, column: string, value: string): readonly R[] {
    const bucket = this.loaded.get(resource)?.get(column)?.buckets.get(value);
    if (bucket === undefined) throw new Error(`${resource}.${column} was not looked up`);
    return [...bucket.values()] as R[];
  }

  /** Replaces a record by its next state; null when it is deleted. */
  replace(resource: string, id: string, row: Row | null): void {
    for (const [column, loaded] of this.loaded.get(resource) ?? [])
      put(loaded, id, { value: row?.[column], row });
  }

  private columnOf(resource: string, column: string): LoadedColumn {
    const columns = this.loaded.get(resource) ?? new Map<string, LoadedColumn>();
    this.loaded.set(resource, columns);
    const loaded = columns.get(column) ?? { buckets: new Map(), placeOf: new Map() };
    columns.set(column, loaded);
    return loaded;
  }
}

/** Removes a row from its bucket, and puts its next state into the bucket of its new value. */
function put(
  { buckets, placeOf }: LoadedColumn,
  id: Value | undefined,
  { value, row }: { readonly value: Value | undefined; readonly row: Row | null },
): void {
  placeOf.get(id)?.delete(id);
  const bucket = row === null ? undefined : buckets.get(String(value));
  if (row === null || bucket === undefined) return void placeOf.delete(id);
  bucket.set(id, row);
  placeOf.set(id, bucket);
}

/** Merges lookups of the same column, so a bulk write needs one statement for all its rows. */
export function mergedLookups(lookups: readonly Lookup[]): Lookup[] {
  const merged = new Map<string, { readonly lookup: Lookup; readonly values: Set<string> }>();
  for (const lookup of lookups) {
    const { resource, column, limit } = lookup;
    const key = `${resource}.${column}.${limit ?? ''}`;
    const known = merged.get(key) ?? { lookup, values: new Set() };
    for (const value of lookup.values) known.values.add(value);
    merged.set(key, known);
  }
  return [...merged.values()].map(({ lookup, values }) => ({ ...lookup, values: [...values] }));
}
