// The rows of every service's tables, as JSON: the data that a release leaves for the next one.

import { setTimeout as pause } from 'node:timers/promises';
import { schemaOf, services, withClient } from '@practice/operator';

/** A stored row. Tables come in an order in which they can be filled again. */
export interface StoredRow {
  readonly schema: string;
  readonly table: string;
  readonly row: Readonly<Record<string, unknown>>;
}

/** The outbox is empty once everything was published; keys and tokens of a test system are of no use to another. */
const LEFT_OUT = [
  'outbox',
  'idempotency',
  'identity.signing_keys',
  'identity.refresh_tokens',
  'identity.sessions',
];

/** Reads all rows. @param url of a superuser */
export const readStored = (url: string): Promise<StoredRow[]> =>
  withClient(url, async (client) => {
    const schemas = services.map(schemaOf).sort();
    const { rows: tables } = await client.query<{ schema: string; name: string }>(
      `SELECT schemaname AS schema, tablename AS name FROM pg_tables
       WHERE schemaname = ANY ($1) AND NOT ARRAY[tablename, schemaname || '.' || tablename] && $2
       ORDER BY 1, (SELECT count(*) FROM pg_constraint WHERE contype = 'f' AND conrelid = format('%I.%I', schemaname, tablename)::regclass), 2`,
      [schemas, LEFT_OUT],
    );
    const stored: StoredRow[] = [];
    for (const { schema, name } of tables) {
      const { rows } = await client.query<{ row: StoredRow['row'] }>(
        `SELECT to_jsonb(t) AS row FROM "${schema}"."${name}" t ORDER BY to_jsonb(t)::text`,
      );
      stored.push(...rows.map(({ row }) => ({ schema, table: name, row })));
    }
    return stored;
  });

const POLL_MS = 200;
const STABLE_POLLS = 10;

/** Reads all rows once they have stopped changing: events of one service lead to rows of another. */
export async function readSettled(url: string): Promise<StoredRow[]> {
  for (let last = '', stable = 0; ;) {
    const stored = await readStored(url);
    const text = JSON.stringify(stored);
    stable = text === last ? stable + 1 : 0;
    if (stable === STABLE_POLLS) return stored;
    last = text;
    await pause(POLL_MS);
  }
}
