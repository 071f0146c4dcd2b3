import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { catalog, isSameChange, TOLD_CHANGES_BYTES, type AskedChange } from '@practice/contracts';
import { processTime, type Steps } from '@practice/core';
import { asSystem, type TextRow } from '@practice/log';
import { keepsVersions, type Resource } from '@practice/resource';
import { TenantDatabase } from '@practice/storage';
import { readChanges, selectChanges } from './record-changes.js';
import { ReadRecordChanges, type ToldChanges } from './record-changes.query.js';

/** The number of changes that are read at once. A larger number would read more changes that do not fit into the response. */
const READ_AT_ONCE = 10;

/** The rows of changes of one resource. */
type Found = readonly [Resource, readonly TextRow[]];

/** Reads the records of this service before and after changes, without confidential columns. */
@QueryHandler(ReadRecordChanges)
export class ReadRecordChangesHandler implements IQueryHandler<ReadRecordChanges> {
  constructor(private readonly database: TenantDatabase) {}

  async execute({ therapistId, asked }: ReadRecordChanges): Promise<ToldChanges> {
    const told: string[] = [];
    let bytes = 0;
    for (let first = 0; first < asked.length; first += READ_AT_ONCE) {
      for (const json of await this.told(therapistId, asked.slice(first, first + READ_AT_ONCE))) {
        bytes += Buffer.byteLength(json);
        if (told.length > 0 && bytes > TOLD_CHANGES_BYTES) return { told, isWhole: false };
        told.push(json);
      }
    }
    return { told, isWhole: true };
  }

  /** Each change as JSON. */
  private async told(therapistId: string, asked: readonly AskedChange[]): Promise<string[]> {
    const names = [...new Set(asked.map(({ resource }) => resource))];
    const found = await Promise.all(
      names.map(async (name): Promise<Found> => {
        const resource = this.resourceOf(name);
        const ofResource = asked.filter((one) => one.resource === name);
        const statement = selectChanges(resource, therapistId, ofResource);
        return [resource, await this.database.reads.run(asSystem(therapistId), statement)];
      }),
    );
    return processTime.run({ therapistId }, inOrder(asked, found));
  }

  private resourceOf(name: string): Resource {
    const resource = catalog.resources.get(name);
    if (resource?.service !== this.database.service || !keepsVersions(resource))
      throw new Error(`${name} is not a resource of ${this.database.service}`);
    return resource;
  }
}

function* inOrder(asked: readonly AskedChange[], found: readonly Found[]): Steps<string[]> {
  const placed: (readonly [place: number, json: string])[] = [];
  for (const [resource, rows] of found)
    for (const change of readChanges(resource, rows)) {
      placed.push([asked.findIndex((one) => isSameChange(one, change)), JSON.stringify(change)]);
      yield;
    }
  return placed.sort(([one], [other]) => one - other).map(([, json]) => json);
}
