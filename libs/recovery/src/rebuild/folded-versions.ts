// Folds the replaced versions of a practice's records from the log, for a rebuild.

import { keepsVersions, REPLACED_AT, visibleColumns, type Resource } from '@practice/resource';
import type { Client } from 'pg';
import { type Versioned, versionsTableOf } from '@practice/storage';
import { copyRows, copyText, type CopiedColumn } from './copy-rows.js';

/** The maximum number of versions of a table that wait to be stored. */
const WAITING = 2000;

/** A record that an event has changed or deleted. */
interface Replaced {
  readonly id: string;
  /** The record before the event; undefined for a new record. */
  readonly before: Versioned | undefined;
  /** When the event was recorded. */
  readonly at: string;
}

/** A state of a record, and the instant at which it was replaced. */
interface Version extends Versioned {
  readonly at: string;
}

export class FoldedVersions {
  private readonly waiting = new Map<Resource, Version[]>();
  /** The latest recording time of the events of each record so far. */
  private readonly latest = new Map<string, string>();

  constructor(
    private readonly client: Client,
    private readonly therapistId: string,
  ) {}

  /** Adds the version that an event replaces. */
  async replace(table: Resource, { id, before, at }: Replaced): Promise<void> {
    if (!keepsVersions(table)) return;
    const key = `${table.name} ${id}`;
    const latest = this.latest.get(key);
    if (latest !== undefined && Date.parse(at) < Date.parse(latest)) await this.cut(table, id, at);
    else this.latest.set(key, at);
    if (before === undefined || Date.parse(String(before.row['updated_at'])) >= Date.parse(at)) return;
    const versions = this.waiting.get(table) ?? [];
    versions.push({ ...before, at });
    this.waiting.set(table, versions);
    if (versions.length >= WAITING) await this.store();
  }

  /** Stores the waiting versions. */
  async store(): Promise<void> {
    for (const [table, versions] of this.waiting)
      await copyRows(
        this.client,
        { table: versionsTableOf(table), columns: this.columnsOf(table) },
        versions,
      );
    this.waiting.clear();
  }

  private columnsOf(table: Resource): CopiedColumn<Version>[] {
    const visible = visibleColumns(table).filter(([name]) => name !== 'therapist_id');
    return [
      ...visible.map(([name, { kind }]) => ({
        name,
        textOf: ({ row }: Version) => copyText(kind.sqlType, row[name]),
      })),
      { name: 'therapist_id', textOf: () => this.therapistId },
      { name: 'version', textOf: ({ version }) => String(version) },
      { name: REPLACED_AT, textOf: ({ at }) => at },
    ];
  }

  /**
   * Ends earlier versions at an event whose recorded time is before that of an earlier event. The clocks of processes differed before
   * the clock of Postgres was used. The state of a record at an instant is the state after its last event up to that instant.
   */
  private async cut(table: Resource, id: string, at: string): Promise<void> {
    await this.store();
    await this.client.query(
      `UPDATE ${versionsTableOf(table)} SET ${REPLACED_AT} = $3 WHERE therapist_id = $1 AND id = $2 AND ${REPLACED_AT} > $3`,
      [this.therapistId, id, at],
    );
  }
}
