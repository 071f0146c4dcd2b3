import { Controller } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import {
  catalog,
  isSameChange,
  MOST_ASKED_CHANGES,
  RECORD_CHANGES,
  TOLD_CHANGES_BYTES,
} from '@practice/contracts';
import type { AskedChange } from '@practice/contracts';
import { processTime } from '@practice/core';
import type { Steps } from '@practice/core';
import { asSystem } from '@practice/log';
import type { TextRow } from '@practice/log';
import type { FrameRequest, InPractice, Reply } from '@practice/bus';
import { keepsVersions } from '@practice/resource';
import type { Resource } from '@practice/resource';
import { TenantDatabase } from '@practice/storage';
import { readChanges, selectChanges } from './record-changes.js';

/** Changes that are read at once: more of them than fit into an answer are read in vain. */
const READ_AT_ONCE = 10;

/** The rows of changes of one resource. */
type Found = readonly [Resource, readonly TextRow[]];

/** Answers how records of this service were before and after changes, without confidential columns. */
@Controller()
export class RecordChangesController {
  constructor(private readonly database: TenantDatabase) {}

  /**
   * The body is a list of `AskedChange`. The answer is a list of `ToldChange` in the same order: one for each change that the log
   * has. Its status is 206 if no more changes fit: those after the last one are to be asked for again.
   */
  @MessagePattern(RECORD_CHANGES)
  async changes({ envelope: { therapistId }, body }: FrameRequest<InPractice>): Promise<Reply> {
    const asked = JSON.parse(body.toString()) as AskedChange[];
    if (asked.length > MOST_ASKED_CHANGES) throw new Error('a question is about too many changes');
    const told: string[] = [];
    let bytes = 0;
    for (let first = 0; first < asked.length; first += READ_AT_ONCE) {
      for (const json of await this.told(therapistId, asked.slice(first, first + READ_AT_ONCE))) {
        bytes += Buffer.byteLength(json);
        if (told.length > 0 && bytes > TOLD_CHANGES_BYTES) return answer(206, told);
        told.push(json);
      }
    }
    return answer(200, told);
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

const answer = (status: 200 | 206, told: readonly string[]): Reply => ({
  ...{ status, headers: {} },
  body: `[${told.join()}]`,
});
