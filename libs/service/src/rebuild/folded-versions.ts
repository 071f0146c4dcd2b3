// The replaced versions of a practice's records, as a rebuild folds them from the log.

import { entries, keepsVersions, REPLACED_AT } from '@practice/resource';
import type { Resource, Row } from '@practice/resource';
import type { Client } from 'pg';
import type { Versioned } from '../storage/tables.js';
import { versionColumns, versionsTableOf } from '../storage/versions.js';

const ROWS_PER_STATEMENT = 500;

/** A record that an event has changed or deleted. */
interface Replaced {
  readonly id: string;
  /** The record before the event; undefined for a new record. */
  readonly before: Versioned | undefined;
  /** When the event was recorded. */
  readonly at: string;
}

export class FoldedVersions {
  private readonly waiting = new Map<Resource, Row[]>();
  /** The latest instant at which an event of a record was recorded so far. */
  private readonly latest = new Map<string, string>();

  constructor(
    private readonly client: Client,
    private readonly therapistId: string,
  ) {}

  /** Notes the version that an event replaces. */
  async replace(table: Resource, { id, before, at }: Replaced): Promise<void> {
    if (!keepsVersions(table)) return;
    const key = `${table.name} ${id}`;
    const latest = this.latest.get(key);
    if (latest !== undefined && Date.parse(at) < Date.parse(latest)) await this.cut(table, id, at);
    else this.latest.set(key, at);
    if (before === undefined || Date.parse(String(before.row['updated_at'])) >= Date.parse(at)) return;
    const rows = this.waiting.get(table) ?? [];
    rows.push({
      ...before.row,
      ...{ therapist_id: this.therapistId, version: before.version, [REPLACED_AT]: at },
    });
    this.waiting.set(table, rows);
    if (rows.length >= ROWS_PER_STATEMENT) await this.store();
  }

  /** Stores the versions that wait. */
  async store(): Promise<void> {
    for (const [table, rows] of this.waiting) {
      const types = entries(table.columns).map(([name, { kind }]) => `"${name}" ${kind.sqlType}`);
      const columns = `${versionColumns(table)}, ${REPLACED_AT}`;
      await this.client.query(
        `INSERT INTO ${versionsTableOf(table)} (${columns}) SELECT ${columns}
         FROM json_to_recordset($1::json) AS r(${types.join(', ')}, version integer, ${REPLACED_AT} timestamptz)`,
        [JSON.stringify(rows)],
      );
    }
    this.waiting.clear();
  }

  /**
   * Ends earlier versions at an event that was recorded with an earlier time than an event before it: clocks of processes differed
   * before Postgres' clock was used. A record is as it was after its last event up to an instant.
   */
  private async cut(table: Resource, id: string, at: string): Promise<void> {
    await this.store();
    await this.client.query(
      `UPDATE ${versionsTableOf(table)} SET ${REPLACED_AT} = $3 WHERE therapist_id = $1 AND id = $2 AND ${REPLACED_AT} > $3`,
      [this.therapistId, id, at],
    );
  }
}
