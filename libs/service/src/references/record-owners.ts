// Asking the owners of other services' records what the mirror does not know yet: a record made a moment ago is found.

import { reject } from '@practice/core';
import type { Requester } from '@practice/messaging';
import type { Catalog, Lookup, Row } from '@practice/resource';
import type { Origin } from '../write/write.command.js';
import { narrowed } from '../projections/mirror-table.js';
import type { Mirrored, MirrorRow } from '../projections/mirror-table.js';

/** A write cannot be decided before owners have answered these; raised within a transaction, which it so ends. */
export class Unanswered extends Error {
  constructor(readonly lookups: readonly Lookup[]) {
    super('other services must be asked first');
  }
}

/** What owners have answered during one request. */
export class FetchedRecords {
  private readonly byQuestion = new Map<string, readonly MirrorRow[]>();

  /** The answer to a question, undefined when it was not asked. */
  of(lookup: Lookup, value: string): readonly MirrorRow[] | undefined {
    return this.byQuestion.get(key(lookup, value));
  }

  set(lookup: Lookup, value: string, rows: readonly MirrorRow[]): void {
    this.byQuestion.set(key(lookup, value), rows);
  }

  /** Records that were asked for by id, to be mirrored. */
  get records(): MirrorRow[] {
    return [...this.byQuestion].filter(([question]) => question.includes('.id=')).flatMap(([, rows]) => rows);
  }
}

const key = ({ resource, column }: Lookup, value: string): string => `${resource}.${column}=${value}`;

/** A record as its owner answers it: its columns, and the version of its stream. */
export type Remote = Row & { readonly id: string; readonly version: number };

export class RecordOwners {
  constructor(
    private readonly requester: Requester,
    private readonly catalog: Catalog,
    private readonly mirrored: Mirrored,
  ) {}

  /** @throws {Rejection} 503 when an owner is away: then nothing is known, and "there is none" would be a lie */
  async ask(lookups: readonly Lookup[], origin: Origin, answers: FetchedRecords): Promise<void> {
    await Promise.all(lookups.map((lookup) => this.askOwner(lookup, origin, answers)));
  }

  private async askOwner(
    lookup: Lookup,
    { therapistId, requestId }: Origin,
    answers: FetchedRecords,
  ): Promise<void> {
    const { resource } = lookup;
    const owner = this.catalog.resources.get(resource)?.service;
    if (owner === undefined) throw new Error(`${resource} is no resource`);
    const reply = await this.requester.request(
      owner,
      { op: 'lookup', therapistId, requestId },
      JSON.stringify(lookup),
    );
    if (reply.status !== 200) reject(ownerAway(owner));
    const rows = (JSON.parse(reply.body.toString()) as Remote[]).map((remote) =>
      this.mirrorRow(lookup, remote),
    );
    for (const value of lookup.values) {
      answers.set(
        lookup,
        value,
        rows.filter(({ row }) => row?.[lookup.column] === value),
      );
    }
  }

  /** What is kept of a record, and the column by which it was asked for. */
  private mirrorRow({ resource, column }: Lookup, { version, ...row }: Remote): MirrorRow {
    const columns = [...(this.mirrored[resource] ?? []), column];
    return { resource, id: row.id, version, row: { ...narrowed(row, columns), id: row.id } };
  }
}

const ownerAway = (service: string) => ({
  status: 503,
  code: 'PM503',
  message: `The ${service} service could not answer`,
  headers: { 'Retry-After': '1' },
});
