// The table of a ledger. Entries are appended with the events that they follow from, and a rebuild makes them again from the log.

import { catalog } from '@practice/contracts';
import { schemaOf, type RecordedEvent, type Steps } from '@practice/core';
import type { Booked, Statement } from '@practice/log';
import { entries, type LedgerLine, type Resource, type Row } from '@practice/resource';

/** The tables that the ledger rules of these resources name. */
export const ledgersOf = (resources: readonly Pick<Resource, 'ledger'>[]): Resource[] =>
  [...new Set(resources.flatMap(({ ledger }) => ledger?.into ?? []))].map(ledger);

function ledger(name: string): Resource {
  const table = catalog.readable.get(name);
  if (table === undefined) throw new Error(`there is no table ${name} for a ledger`);
  return table;
}

/** An event with its place in the log, and its lines. */
export interface BookedEvent extends Pick<
  RecordedEvent,
  'therapistId' | 'position' | 'type' | 'streamId' | 'recordedAt'
> {
  readonly ledger: Booked;
}

/** The entries of an event. An id is made of the position and the line, so a rebuild makes the same ids. */
export const entryRows = ({
  therapistId,
  position,
  type,
  streamId,
  recordedAt,
  ledger: { resource, lines },
}: BookedEvent): Row[] =>
  (lines as readonly LedgerLine[]).map(({ account, date, client, debit, credit }, index) => ({
    id: `00000000-0000-8000-8${hex(index, 3)}-${hex(position, 12)}`,
    therapist_id: therapistId,
    at: recordedAt,
    position,
    event: type,
    resource,
    record_id: streamId,
    client_id: client,
    date,
    month: date.slice(0, 7),
    ...{ account, debit, credit },
  }));

const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, '0');

/** Appends the entries of these events: one statement for each ledger. */
export function* appendEntries(service: string, events: readonly BookedEvent[]): Steps<Statement[]> {
  const rows = new Map<string, string[]>();
  for (const event of events) {
    const { into } = event.ledger;
    const texts = rows.get(into) ?? [];
    rows.set(into, texts);
    texts.push(...entryRows(event).map((row) => JSON.stringify(row)));
    yield;
  }
  return [...rows]
    .filter(([, texts]) => texts.length > 0)
    .map(([name, texts]) => ({ text: insertText(service, ledger(name)), values: [`[${texts.join()}]`] }));
}

function insertText(service: string, { name, columns }: Resource): string {
  const names = Object.keys(columns).map((column) => `"${column}"`);
  const typed = entries(columns).map(([column, { kind }]) => `"${column}" ${kind.sqlType}`);
  return `INSERT INTO "${schemaOf(service)}"."${name}" (${names.join(', ')})
SELECT ${names.join(', ')} FROM json_to_recordset($1::json) AS r(${typed.join(', ')})`;
}
