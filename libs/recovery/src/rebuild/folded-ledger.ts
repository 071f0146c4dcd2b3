// Folds the entries of a practice's ledgers from the log, for a rebuild.

import { entries, linesOf, type Booking, type Resource, type Row } from '@practice/resource';
import { entryRows, ledgersOf, type BookedEvent } from '@practice/storage';
import type { Client } from 'pg';
import { copyRows, copyText } from './copy-rows.js';

/** The maximum number of entries of a ledger that wait to be stored. */
const WAITING = 2000;

export const tableIn = (schema: string, name: string): string => `"${schema}"."${name}"`;

export class FoldedLedger {
  private readonly waiting: ReadonlyMap<string, { readonly table: Resource; readonly rows: Row[] }>;

  constructor(
    private readonly client: Client,
    private readonly schema: string,
    tables: readonly Resource[],
  ) {
    this.waiting = new Map(ledgersOf(tables).map((table) => [table.name, { table, rows: [] }]));
  }

  /** Adds the entries of an event. */
  async add(
    resource: Resource,
    event: Omit<BookedEvent, 'ledger'>,
    change: Omit<Booking, 'at'>,
  ): Promise<void> {
    const into = resource.ledger?.into ?? '';
    const ledger = this.waiting.get(into);
    if (ledger === undefined) return;
    const lines = linesOf(resource, { ...change, at: event.recordedAt });
    ledger.rows.push(...entryRows({ ...event, ledger: { into, resource: resource.name, lines } }));
    if (ledger.rows.length >= WAITING) await this.store();
  }

  async store(): Promise<void> {
    for (const { table, rows } of this.waiting.values()) {
      const columns = entries(table.columns).map(([name, { kind }]) => ({
        name,
        textOf: (row: Row) => copyText(kind.sqlType, row[name]),
      }));
      await copyRows(this.client, { table: tableIn(this.schema, table.name), columns }, rows.splice(0));
    }
  }
}
