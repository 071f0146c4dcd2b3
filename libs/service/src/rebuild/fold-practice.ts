import { readLog } from '@practice/event-store';
import { evolve } from '@practice/resource';
import type { Resource } from '@practice/resource';
import type { Client } from 'pg';
import { tableOf, upsertRows } from '../storage/tables.js';
import type { Versioned } from '../storage/tables.js';

/** Read tables that a rebuild fills: `service` of each names the schema of the table. */
export type Tables = readonly Resource[];

const ROWS_PER_STATEMENT = 500;

/** Folds a practice's whole log into rows of new read tables and replaces the rows that it has there. */
export async function foldPractice(
  client: Client,
  log: { service: string; therapistId: string },
  tables: Tables,
): Promise<void> {
  const { therapistId } = log;
  const records = new Map(tables.map((table) => [table.aggregate, new Map<string, Versioned>()]));
  const byAggregate = new Map(tables.map((table) => [table.aggregate, table]));
  for await (const event of readLog(client, { ...log, after: 0 })) {
    const table = byAggregate.get(event.aggregate);
    const rows = records.get(event.aggregate);
    if (table === undefined || rows === undefined)
      throw new Error(`${log.service} has no aggregate ${event.aggregate}`);
    const row = evolve(table, rows.get(event.streamId)?.row ?? null, event);
    if (row === null) rows.delete(event.streamId);
    else rows.set(event.streamId, { row, version: event.version });
  }
  for (const table of tables)
    await replaceRows(client, therapistId, {
      table,
      rows: [...(records.get(table.aggregate)?.values() ?? [])],
    });
}

async function replaceRows(
  client: Client,
  therapistId: string,
  { table, rows }: { table: Resource; rows: readonly Versioned[] },
): Promise<void> {
  await client.query(`DELETE FROM ${tableOf(table)} WHERE therapist_id = $1`, [therapistId]);
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    const { text: insert, values } = upsertRows(
      table,
      rows.slice(start, start + ROWS_PER_STATEMENT).map((row) => ({ therapistId, ...row })),
    );
    await client.query(insert, values as unknown[]);
  }
}
