import { logTable } from './log-table.js';
import { listsOf, type Statement } from './statement.js';

/** A client of a practice, or the practice itself by its own id. */
export interface PersonalKeyId {
  readonly therapistId: string;
  readonly clientId: string;
}

export interface SealedKey extends PersonalKeyId {
  readonly sealedKey: string;
}

/** Keys that exist, and tombstones: `[index in wanted, from 1; sealed key, null for a client that was erased]`. */
export const selectKeys = (service: string, wanted: readonly PersonalKeyId[]): Statement => ({
  text: `SELECT wanted.index, k.sealed_key FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS wanted(therapist_id, client_id, index)
JOIN ${logTable(service, 'personal_keys')} AS k USING (therapist_id, client_id)`,
  values: listsOf(wanted, 'therapistId', 'clientId'),
});

/** Stores new keys. */
export const insertKeys = (service: string, keys: readonly SealedKey[]): Statement => ({
  text: `INSERT INTO ${logTable(service, 'personal_keys')} (therapist_id, client_id, sealed_key) SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[])`,
  values: listsOf(keys, 'therapistId', 'clientId', 'sealedKey'),
});
