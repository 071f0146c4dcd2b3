import type { NewEvent } from '@practice/log';
import type { Lookup, Resource, Row, RowOf } from '@practice/resource';
import type { Deletion } from '@practice/mirror';
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
  private readonly inOrder: Decided[] = [];
  /** resource → id → record, so that a lookup in a large write is not compared with all records */
  private readonly byId = new Map<string, Map<string, Aggregate>>();
  /** In the order in which they were decided, which is the order of the log. */
  readonly events: NewEvent[] = [];

  /** The record of an intent: as decided so far, or as it was stored. */
  of(resource: Resource, { id, state, version }: Intent): Aggregate {
    const decided = this.find(resource, id);
    if (decided !== undefined) return decided;
    const aggregate = new Aggregate(resource, id, { state, version });
    this.inOrder.push({ resource, aggregate });
    this.byId.set(resource.name, this.ofResource(resource.name).set(id, aggregate));
    return aggregate;
  }

  get all(): readonly Decided[] {
    return this.inOrder;
  }

  get size(): number {
    return this.inOrder.length;
  }

  /** The stored records that a lookup found, as they are decided so far. */
  overlay({ resource, column, values }: Lookup, stored: readonly Versioned[]): Versioned[] {
    const decided = this.ofResource(resource);
    if (decided.size === 0) return [...stored];
    const wanted = new Set(values);
    const records = new Map(stored.map((record) => [String(record.row['id']), record]));
    const ids = column === 'id' ? wanted : decided.keys();
    for (const id of ids) {
      const { state: row, version } = decided.get(id) ?? {};
      if (version === undefined) continue;
      if (row && wanted.has(String(row[column]))) records.set(id, { row, version });
      else records.delete(id);
    }
    return [...records.values()];
  }

  /** Each intent's record as it is decided; a deleted record as it was. */
  rows<D extends Resource>(resource: D, intents: readonly Intent[]): RowOf<D>[] {
    return intents.map(({ id, state }) => (this.find(resource, id)?.state ?? (state as Row)) as RowOf<D>);
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
    return this.ofResource(resource.name).get(id);
  }

  private ofResource(name: string): Map<string, Aggregate> {
    return this.byId.get(name) ?? new Map<string, Aggregate>();
  }
}
