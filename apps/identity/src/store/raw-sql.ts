// The statements that TypeORM has no words for, each with the reason.

import type { Statement } from '@practice/log';
import type { ClientBase } from 'pg';
import type { EntityManager } from 'typeorm';

/** On conflict, it also sets a column that was not inserted: gateways must know changed roles, not new ones. */
export const upsertAccess = (userId: string, therapistId: string, role: string | null): Statement => ({
  text: `INSERT INTO identity.access (user_id, therapist_id, role, requires_mfa)
SELECT $1::uuid, $2::uuid, $3, EXISTS (SELECT FROM identity.practices AS p WHERE p.therapist_id = $2 AND p.require_mfa)
ON CONFLICT (user_id, therapist_id)
DO UPDATE SET role = excluded.role, requires_mfa = excluded.requires_mfa, changed_at = now()`,
  values: [userId, therapistId, role],
});

/** A window function: a key is superseded when the next one begins to sign. */
const KEYS = `SELECT kid, public_jwk, sealed_private_key, signs_from,
  lead(signs_from) OVER (ORDER BY signs_from, kid) AS superseded_at FROM identity.signing_keys`;

/** Keys that sign, or were superseded less than these seconds ago, in the order in which they sign. */
export const selectLiveKeys = (aliveSeconds: number): [text: string, values: unknown[]] => [
  `SELECT kid, public_jwk AS "publicJwk", sealed_private_key AS sealed,
     (extract(epoch FROM signs_from - clock_timestamp()) * 1000)::float8 AS "signsInMs"
   FROM (${KEYS}) AS keys WHERE superseded_at IS NULL OR superseded_at > now() - make_interval(secs => $1)
   ORDER BY signs_from, kid`,
  [aliveSeconds],
];

/** Deletes the other ones. */
export const deleteDeadKeys = (aliveSeconds: number): [text: string, values: unknown[]] => [
  `DELETE FROM identity.signing_keys WHERE kid IN
     (SELECT kid FROM (${KEYS}) AS keys WHERE superseded_at <= now() - make_interval(secs => $1))`,
  [aliveSeconds],
];

/** An advisory lock: several processes may want to add the first key at the same time. Held until the transaction ends. */
export async function lockKeys(tables: EntityManager): Promise<void> {
  await tables.query(`SELECT pg_advisory_xact_lock(hashtext('identity.signing_keys'))`);
}

/** A DELETE of a limited number of rows: the sweeper of all services repeats it. */
export const deleteOldSessions = (
  isOld: string,
  { idleSeconds, maxSeconds, atOnce }: { idleSeconds: number; maxSeconds: number; atOnce: number },
): Statement => ({
  text: `DELETE FROM identity.sessions WHERE (user_id, id) IN (
  SELECT user_id, id FROM identity.sessions WHERE ${isOld}
    AND least(ended_at, refreshed_at + make_interval(secs => $1), created_at + make_interval(secs => $2)) < now() - interval '30 days'
  ORDER BY refreshed_at LIMIT ${atOnce}) RETURNING 1`,
  values: [idleSeconds, maxSeconds],
});

/** Begins and ends the transactions of the commands on keys, which connect as the owner of the schema. */
export async function inTransaction<T>(client: ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  const result = await work();
  await client.query('COMMIT');
  return result;
}
