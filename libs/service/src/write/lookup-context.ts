import type { Lookup, Row } from '@practice/resource';

type Bucket = Map<unknown, Row>;

/**
 * The rows that lookups found, updated as the request decides: the second row of a bulk write sees the first.
 * Reading rows that were not looked up is a defect of a decider, not an empty result.
 */
export class LoadedContext {
  /** resource → column → value → id → row */
  private readonly loaded = new Map<string, Map<string, Map<string, Bucket>>>();

  load({ resource, column, values }: Lookup, rows: readonly Row[]): void {
    const buckets = this.bucketsOf(resource, column);
    for (const value of values) if (!buckets.has(value)) buckets.set(value, new Map());
    for (const row of rows) buckets.get(String(row[column]))?.set(row['id'], row);
  }

  /** @throws {Error} when nothing was looked up by that column and value */
  rows<R = Row>(resource: string, column: string, value: string): readonly R[] {
    const bucket = this.loaded.get(resource)?.get(column)?.get(value);
    if (bucket === undefined) throw new Error(`${resource}.${column} was not looked up`);
    return [...bucket.values()] as R[];
  }

  /** A record's next state; null when it is deleted. */
  replace(resource: string, id: string, row: Row | null): void {
    for (const [column, buckets] of this.loaded.get(resource) ?? []) {
      for (const bucket of buckets.values()) bucket.delete(id);
      if (row !== null) buckets.get(String(row[column]))?.set(id, row);
    }
  }

  private bucketsOf(resource: string, column: string): Map<string, Bucket> {
    const columns = this.loaded.get(resource) ?? new Map<string, Map<string, Bucket>>();
    this.loaded.set(resource, columns);
    const buckets = columns.get(column) ?? new Map<string, Bucket>();
    columns.set(column, buckets);
    return buckets;
  }
}

/** Merges lookups of the same column, so a bulk write needs one statement for all its rows. */
export function mergedLookups(lookups: readonly Lookup[]): Lookup[] {
  const merged = new Map<string, Lookup & { values: Set<string> }>();
  for (const { resource, column, values, limit } of lookups) {
    const key = `${resource}.${column}.${limit ?? ''}`;
    const known = merged.get(key);
    if (known === undefined) {
      merged.set(key, {
        resource,
        column,
        values: new Set(values),
        ...(limit === undefined ? {} : { limit }),
      } as never);
    } else {
      for (const value of values) known.values.add(value);
    }
  }
  return [...merged.values()].map((lookup) => ({ ...lookup, values: [...lookup.values] }));
}
