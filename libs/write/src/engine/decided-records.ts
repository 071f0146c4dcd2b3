import type { NewEvent } from '@practice/log';
import type { Lookup, Resource, Row } from '@practice/resource';
import { keyOf, type Deletion } from '@practice/mirror';
import type { Versioned } from '@practice/storage';
import { Aggregate } from './aggregate.js';
import type { Intent } from './intent.js';

interface Decided {
  readonly resource: Resource;
  readonly aggregate: Aggregate;
}

/** The records that a write has decided so far. */
export class DecidedRecords {
  /** In the order in which they were first decided. */
  private readonly byKey = new Map<string, Decided>();
  /** In the order in which they were decided, which is the order of the log. */
  readonly events: NewEvent[] = [];

  get all(): readonly Decided[] {
    return [...this.byKey.values()];
  }

  /** The record of an intent: as decided so far, or as it was stored. */
  of(resource: Resource, { id, state, version }: Intent): Aggregate {
    const key = keyOf({ resource: resource.name, id });
    const aggregate = this.byKey.get(key)?.aggregate ?? new Aggregate(resource, id, { state, version });
    this.byKey.set(key, { resource, aggregate });
    return aggregate;
  }

  get size(): number {
    return this.byKey.size;
  }

  /** The stored records that a lookup found, as they are decided so far. */
  overlay(lookup: Lookup, stored: readonly Versioned[]): Versioned[] {
    const records = new Map(stored.map((record) => [String(record.row['id']), record]));
    for (const { resource, aggregate } of this.all) {
      const { id, state: row, version } = aggregate;
      if (resource.name !== lookup.resource) continue;
      if (row !== null && lookup.values.includes(String(row[lookup.column])))
        records.set(id, { row, version });
      else records.delete(id);
    }
    return [...records.values()];
  }

  /** Each intent's record as it is decided; a deleted record as it was. */
  rows(resource: Resource, intents: readonly Intent[]): Row[] {
    return intents.map(({ id, state }) => this.find(resource, id)?.state ?? (state as Row));
  }

  /** The version of the record, changed or not, if the write is about one record; null if it is about several, or deletes the record. */
  versionOf(resource: Resource, [intent, ...others]: readonly Intent[]): number | null {
    if (intent === undefined || others.length > 0 || intent.command.kind === 'delete') return null;
    return this.find(resource, intent.id)?.version ?? intent.version;
  }

  get deleted(): Deletion[] {
    return this.all
      .filter(({ aggregate }) => aggregate.state === null)
      .map(({ resource, aggregate: { id, version } }) => ({
        resource: resource.name,
        id,
        version: version - 1,
      }));
  }

  has(resource: Resource, id: string): boolean {
    return this.find(resource, id) !== undefined;
  }

  private find(resource: Resource, id: string): Aggregate | undefined {
    return this.byKey.get(keyOf({ resource: resource.name, id }))?.aggregate;
  }
}
