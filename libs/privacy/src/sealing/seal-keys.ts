// Reseals the keys of clients with the newest key-encryption key, while the service runs.

import { schemaOf } from '@practice/core';
import { sealedKeyId, type Keyring, type SealedKey } from '@practice/log';
import type { Client } from 'pg';

const BATCH = 1_000;

/** Reseals the keys of clients. @returns the number of keys that it resealed */
export async function sealKeysAgain(
  client: Client,
  service: string,
  keyEncryption: Keyring,
): Promise<number> {
  const table = `"${schemaOf(service)}".personal_keys`;
  let sealed = 0;
  let after = ['00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000'];
  for (;;) {
    const { rows } = await client.query<SealedKey>(
      `SELECT therapist_id AS "therapistId", client_id AS "clientId", sealed_key AS "sealedKey" FROM ${table}
       WHERE (therapist_id, client_id) > ($1, $2) AND sealed_key IS NOT NULL ORDER BY therapist_id, client_id LIMIT ${BATCH}`,
      after,
    );
    for (const { sealedKey, ...id } of rows) {
      const name = sealedKeyId(service, id);
      if (keyEncryption.isCurrent(sealedKey, name)) continue;
      const again = keyEncryption.seal(keyEncryption.open(sealedKey, name), name);
      const { rowCount } = await client.query(
        `UPDATE ${table} SET sealed_key = $1 WHERE therapist_id = $2 AND client_id = $3 AND sealed_key = $4`,
        [again, id.therapistId, id.clientId, sealedKey],
      );
      sealed += rowCount ?? 0;
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) return sealed;
    after = [last.therapistId, last.clientId];
  }
}
