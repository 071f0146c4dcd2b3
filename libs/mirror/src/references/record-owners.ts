// Asks the services that own records about records that the mirror does not know, or that are being deleted.

import { setTimeout as pause } from 'node:timers/promises';
import { catalog } from '@practice/contracts';
import { problemFor, reject, type Problem } from '@practice/core';
import { unavailable, type InPractice, type Requester } from '@practice/bus';
import type { Row } from '@practice/resource';
import { narrowed, type MirrorAnswer, type MirrorEntry, type MirrorMatch } from '../mirrored/mirror-table.js';
import type { Mirrored } from '@practice/storage';
import type { FetchedRecord, FetchedRecords } from './fetched-records.js';

/** The request for which another service is asked, and its deadline. */
export interface Caller {
  readonly therapistId: string;
  readonly requestId: string;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
}

/** A record as its owner sends it: its columns, and the version of its stream. */
export type OwnedRecord = Row & { readonly id: string; readonly version: number };

/** A record with its resource, id and version. */
export interface OwnedAs {
  readonly resource: string;
  readonly id: string;
  readonly version: number;
  readonly row: Row;
}

/** An owner's answer about some of its records. */
export interface OwnedRecords {
  readonly records: readonly OwnedRecord[];
  /** Ids of records that are being deleted: whether they stay is known once the attempt has ended. */
  readonly marked: readonly string[];
}

/** A question about the records of a resource that have one of these values in a column, by default the id. */
interface Asked {
  readonly resource: string;
  readonly column?: string;
  readonly values: readonly string[];
}

/** A deletion takes two short transactions and a message. On a busy system it takes longer, and frequent questions would delay it more. */
const ASK_AGAIN_MS = 15;
const ASK_AGAIN_AT_MOST_MS = 240;

export class RecordOwners {
  constructor(
    private readonly requester: Requester,
    private readonly mirrored: Mirrored,
  ) {}

  /**
   * Fetches records from their owners.
   * @throws {Rejection} 503 when an owner is unavailable, or is still deleting one of the records at the caller's deadline
   */
  async fetch(answers: readonly MirrorAnswer[], caller: Caller, into: FetchedRecords): Promise<void> {
    const [matches, entries] = [answers.filter(isMatch), answers.filter(isEntry)];
    await Promise.all([
      this.fetchEntries(entries, caller, into),
      ...matches.map((match) => this.fetchMatch(match, caller, into)),
    ]);
  }

  /** Uses these records as the answer of their owners: a dry run of several services has not stored them. */
  assume(records: readonly OwnedAs[], into: FetchedRecords): void {
    for (const { resource, id, version, row } of records)
      into.set(
        { resource, id, version: 0, row: null, mark: null },
        this.fetched({ resource, id }, { ...row, id, version }),
      );
  }

  private async fetchEntries(
    entries: readonly MirrorEntry[],
    caller: Caller,
    into: FetchedRecords,
  ): Promise<void> {
    const resources = [...new Set(entries.map(({ resource }) => resource))];
    await Promise.all(
      resources.map(async (resource) => {
        const asked = entries.filter((entry) => entry.resource === resource);
        const ids = asked.map(({ id }) => id);
        const records = new Map((await this.settled(resource, ids, caller)).map((one) => [one.id, one]));
        for (const entry of asked) into.set(entry, this.fetched(entry, records.get(entry.id)));
      }),
    );
  }

  private async fetchMatch(match: MirrorMatch, caller: Caller, into: FetchedRecords): Promise<void> {
    const { resource, column, value } = match;
    const { records } = await this.ask({ resource, column, values: [value] }, caller);
    into.setMatch(
      match,
      records.map((record) => this.fetched({ resource, id: record.id }, record)),
    );
  }

  /**
   * Asks the owner for the records that have these values in a column.
   * @throws {Rejection} 503 when the owner is unavailable, or does not answer by the caller's deadline
   */
  async ask({ resource, column = 'id', values }: Asked, caller: Caller): Promise<OwnedRecords> {
    const { therapistId, requestId, deadline } = caller;
    const owner = catalog.resources.get(resource)?.service;
    if (owner === undefined) throw new Error(`${resource} is not a resource`);
    const body = JSON.stringify({ resource, column, ids: values });
    const envelope = { op: 'lookup', therapistId, requestId, deadline };
    const reply = await this.requester.request<InPractice>(owner, envelope, body);
    if (reply.status !== 200) throw unavailable(owner, 'is unavailable');
    return JSON.parse(reply.body.toString()) as OwnedRecords;
  }

  /** Asks until no record is being deleted. The owner itself does not wait: an open request would delay the others in its frame. */
  private async settled(
    resource: string,
    ids: readonly string[],
    caller: Caller,
  ): Promise<readonly OwnedRecord[]> {
    for (let wait = ASK_AGAIN_MS; ; wait = Math.min(2 * wait, ASK_AGAIN_AT_MOST_MS)) {
      const { records, marked } = await this.ask({ resource, values: ids }, caller);
      if (marked.length === 0) return records;
      if (Date.now() + wait >= caller.deadline) reject(beingDeleted(resource, marked[0]));
      await pause(wait);
    }
  }

  private fetched(
    { resource, id }: Pick<MirrorEntry, 'resource' | 'id'>,
    found: OwnedRecord | undefined,
  ): FetchedRecord {
    if (found === undefined) return { resource, id, version: 0, row: null };
    const { version, ...row } = found;
    return { resource, id, version, row: { ...narrowed(row, this.mirrored[resource] ?? []), id } };
  }
}

const isMatch = (answer: MirrorAnswer): answer is MirrorMatch => 'column' in answer;
const isEntry = (answer: MirrorAnswer): answer is MirrorEntry => !isMatch(answer);

/** The problem of a reference to a record whose deletion has not ended by the caller's deadline. */
export const beingDeleted = (resource: string, id: string | undefined): Problem =>
  problemFor('PM503', {
    message: 'A record that this request refers to is being deleted',
    details: `Key (id)=(${id}) in table "${resource}".`,
    headers: { 'Retry-After': '1' },
  });
