import { schemaOf } from '@practice/core';
import { readLog } from '@practice/log';
import { entries, evolve, rowJson, type Resource } from '@practice/resource';
import type { Client } from 'pg';
import { tableOf, type Versioned } from '@practice/storage';
import { copyRows, copyText, type CopiedColumn } from './copy-rows.js';
import { foldedTables } from './differences.js';
import { FoldedLedger, tableIn } from './folded-ledger.js';
import { FoldedVersions } from './folded-versions.js';

/** The read tables that a rebuild fills. The `service` of each table determines its schema. */
export type Tables = readonly Resource[];

/**
 * Folds a practice's whole log into rows of new read tables, replaced versions and ledgers. The tables must have no rows of the practice.
 * @returns the number of events
 */
export async function foldPractice(
  client: Client,
  log: { service: string; therapistId: string },
  tables: Tables,
): Promise<number> {
  const { therapistId } = log;
  const folded = new Map(
    tables.map((table) => [table.aggregate, { table, rows: new Map<string, Versioned>() }]),
  );
  const versions = new FoldedVersions(client, therapistId);
  const ledger = new FoldedLedger(client, schemaIn(tables), tables);
  let events = 0;
  for await (const event of readLog(client, { ...log, after: 0 })) {
    events += 1;
    const { table, rows } = folded.get(event.aggregate) ?? unknown(log.service, event.aggregate);
    const before = rows.get(event.streamId);
    const row = evolve(table, before?.row ?? null, event);
    const change = { before: before?.row ?? null, after: row };
    await ledger.add(table, { ...event, therapistId }, change);
    await versions.replace(table, { id: event.streamId, before, at: event.recordedAt });
    if (row === null) rows.delete(event.streamId);
    else rows.set(event.streamId, { row, version: event.version });
  }
  await versions.store();
  await ledger.store();
  for (const { table, rows } of folded.values())
    await copyRows(client, { table: tableOf(table), columns: columnsOf(therapistId, table) }, [
      ...rows.values(),
    ]);
  return events;
}

/** The schema of the new tables. */
const schemaIn = ([table]: Tables): string => schemaOf(table?.service ?? '');

/** Deletes all rows of a practice from the new tables. */
export async function clearPractice(client: Client, therapistId: string, tables: Tables): Promise<void> {
  for (const { name } of foldedTables(tables))
    await client.query(`DELETE FROM ${tableIn(schemaIn(tables), name)} WHERE therapist_id = $1`, [
      therapistId,
    ]);
}

function unknown(service: string, aggregate: string): never {
  throw new Error(`${service} has no aggregate ${aggregate}`);
}

/** The columns of a read table to copy. */
const columnsOf = (therapistId: string, table: Resource): CopiedColumn<Versioned>[] => [
  ...entries(table.columns)
    .filter(([name]) => name !== 'therapist_id')
    .map(([name, { kind }]) => ({ name, textOf: ({ row }: Versioned) => copyText(kind.sqlType, row[name]) })),
  { name: 'therapist_id', textOf: () => therapistId },
  { name: 'version', textOf: ({ version }) => String(version) },
  { name: '_json', textOf: ({ row }) => copyText('text', rowJson(table, row)) },
];
