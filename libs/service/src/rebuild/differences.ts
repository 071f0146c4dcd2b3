import type { Resource } from '@practice/resource';
import type { Client } from 'pg';
import { tableOf } from '../storage/tables.js';

/** A row of a read table that differs from the log. It names the columns, never their values. */
export interface Difference {
  readonly resource: string;
  readonly therapistId: string;
  readonly id: string;
  readonly kind: 'missing' | 'not in the log' | 'differs';
  readonly columns: readonly string[];
}

/** Compares a read table with the table that was folded from the log. */
export async function differences(client: Client, live: Resource, folded: Resource): Promise<Difference[]> {
  const { rows } = await client.query<Difference>(
    `SELECT $1 AS resource, coalesce(l.therapist_id, f.therapist_id) AS "therapistId", coalesce(l.id, f.id) AS id,
       CASE WHEN l.id IS NULL THEN 'missing' WHEN f.id IS NULL THEN 'not in the log' ELSE 'differs' END AS kind,
       coalesce((SELECT array_agg(a.key ORDER BY a.key) FROM jsonb_each(to_jsonb(l)) a JOIN jsonb_each(to_jsonb(f)) b USING (key)
         WHERE a.value IS DISTINCT FROM b.value), '{}') AS columns
     FROM ${tableOf(live)} l FULL JOIN ${tableOf(folded)} f ON (l.therapist_id, l.id) = (f.therapist_id, f.id)
     WHERE to_jsonb(l) IS DISTINCT FROM to_jsonb(f)
     ORDER BY 2, 3`,
    [live.name],
  );
  return rows;
}
