import type { NewEvent } from '@practice/log';
import type { Resource, Row } from '@practice/resource';
import type { DecidedRecords } from '../decided-records.js';

/** A record as the group will store it; without a state, it is deleted. */
export interface StagedRecord {
  readonly resource: Resource;
  readonly id: string;
  readonly state: Row | null;
  readonly version: number;
}

const NONE: ReadonlyMap<string, StagedRecord> = new Map();

/** The decisions of a group's writes in one practice, in order: their events, and the last state of each record. */
export class StagedRecords {
  readonly events: NewEvent[] = [];
  /** resource → id → record */
  private readonly records = new Map<string, Map<string, StagedRecord>>();

  add({ all, events }: DecidedRecords): void {
    this.events.push(...events);
    for (const { resource, aggregate } of all) {
      if (aggregate.getUncommittedEvents().length === 0) continue;
      const { id, state, version } = aggregate;
      const records = this.records.get(resource.name) ?? new Map<string, StagedRecord>();
      this.records.set(resource.name, records.set(id, { resource, id, state, version }));
    }
  }

  /** The records of a resource, by id. */
  of(resource: string): ReadonlyMap<string, StagedRecord> {
    return this.records.get(resource) ?? NONE;
  }

  get all(): StagedRecord[] {
    return [...this.records.values()].flatMap((records) => [...records.values()]);
  }
}
