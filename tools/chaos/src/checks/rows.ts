// Checks that every record is as its last acknowledged write left it.
import type { Client } from 'pg';
import type { Journal, Row } from '../load/journal.js';
import type { Finding } from './finding.js';

type Stored = Readonly<Record<string, unknown>>;

/** Compares the read tables with the journal. */
export async function checkRows(admin: Client, { rows }: Pick<Journal, 'rows'>): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [place, expected] of rows) {
    const stored = await readRows(admin, place, [...expected.keys()]);
    for (const [id, row] of expected) findings.push(...compare(`${place} ${id}`, row, stored.get(id)));
  }
  return findings;
}

async function readRows(admin: Client, place: string, ids: readonly string[]): Promise<Map<string, Stored>> {
  const { rows } = await admin.query<{ id: string; row: Stored }>(
    `SELECT id, to_jsonb(t) AS row FROM ${place} AS t WHERE id = ANY ($1)`,
    [ids],
  );
  return new Map(rows.map(({ id, row }) => [id, row]));
}

function compare(name: string, expected: Row, stored: Stored | undefined): Finding[] {
  if (expected === null) return stored ? [{ kind: 'lost', what: `the deletion of ${name}` }] : [];
  if (!stored) return [{ kind: 'lost', what: name }];
  return Object.entries(expected)
    .filter(([column, value]) => !isSame(stored[column], value))
    .map(([column, value]) => ({
      kind: 'lost',
      what: `${name}: ${column} is ${String(stored[column])} in place of ${value}`,
    }));
}

/** Postgres' JSON leaves out the zeros at the end of a number. */
const isSame = (stored: unknown, expected: string | number): boolean =>
  typeof stored === 'number' ? stored === Number(expected) : stored === expected;
