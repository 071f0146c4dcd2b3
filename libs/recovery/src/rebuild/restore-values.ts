// Restores the plain form of personal values. Like the read tables, it can be rebuilt: missing values are decrypted from the log.

import { SEALED, type Seal, type StoredValues } from '@practice/core';
import { clientOfSealed, logTable, openKey, openValues, run, selectKeys } from '@practice/log';
import { withOpenClient, type Keyring, type PersonalKeyId } from '@practice/log';
import type { Client } from 'pg';
import type { RebuildInput } from './rebuild.js';

interface SealedEvent {
  readonly therapistId: string;
  readonly position: string;
  readonly aggregate: string;
  readonly eventId: string;
  readonly data: string | null;
  readonly previous: string | null;
  /** The number of erasures in the practice when the event was read. */
  readonly erasures: string;
}

/** Decrypts values. Each key is opened once, and again after an erasure. @returns null for values whose key was erased */
type Open = (event: SealedEvent, values: StoredValues) => Promise<object | null>;

/** With `check`, the values are only counted. */
interface RestoreInput extends Pick<RebuildInput, 'service' | 'url' | 'check'> {
  readonly keyEncryption: Keyring;
}

const BATCH = 500;

/** Restores the missing plain values of events. @returns the number of events whose plain values were missing */
export function restoreValues({ service, url, keyEncryption, check }: RestoreInput): Promise<number> {
  const config = { connectionString: url, application_name: `${service} restore values` };
  return withOpenClient(config, async (client) => {
    const open = opener(client, service, keyEncryption);
    let restored = 0;
    for (let after: SealedEvent | undefined; ;) {
      const events = await sealedWithoutPlain(client, service, after);
      let isOutdated = false;
      for (const event of events) {
        const values = [await open(event, 'data'), await open(event, 'previous')];
        if (values.every((one) => one === null)) continue;
        if (check || (await insertPlain(client, service, { ...event, values }))) restored += 1;
        else isOutdated = true;
      }
      if (isOutdated) continue;
      after = events.at(-1);
      if (after === undefined || events.length < BATCH) return restored;
    }
  });
}

async function sealedWithoutPlain(
  client: Client,
  service: string,
  after: SealedEvent | undefined,
): Promise<SealedEvent[]> {
  const { rows } = await client.query<SealedEvent>(
    `SELECT e.therapist_id AS "therapistId", e.position, e.aggregate, e.metadata->>'eventId' AS "eventId",
       e.data->>'${SEALED}' AS data, e.previous->>'${SEALED}' AS previous, h.erasures
     FROM ${logTable(service, 'events')} AS e JOIN ${logTable(service, 'practice_head')} AS h USING (therapist_id)
     WHERE (e.data ? '${SEALED}' OR e.previous ? '${SEALED}') AND ($1::uuid IS NULL OR (e.therapist_id, e.position) > ($1, $2))
       AND NOT EXISTS (SELECT FROM ${logTable(service, 'personal_values')} AS p
         WHERE p.therapist_id = e.therapist_id AND p.position = e.position)
     ORDER BY e.therapist_id, e.position LIMIT ${BATCH}`,
    [after?.therapistId ?? null, after?.position ?? null],
  );
  return rows;
}

function opener(client: Client, service: string, keyEncryption: Keyring): Open {
  const keys = new Map<string, Seal | null>();
  const keyOf = async (id: PersonalKeyId, erasures: string): Promise<Seal | null> => {
    const name = `${id.therapistId} ${id.clientId} ${erasures}`;
    const known = keys.get(name);
    if (known !== undefined) return known;
    const [row] = await run(client, selectKeys(service, [id]));
    const key = row?.[1] == null ? null : openKey(service, keyEncryption, { ...id, sealedKey: row[1] });
    keys.set(name, key);
    return key;
  };
  return async ({ therapistId, eventId, erasures, ...event }, values) => {
    const sealed = event[values];
    if (sealed === null) return null;
    const key = await keyOf({ therapistId, clientId: clientOfSealed(sealed) }, erasures);
    const plain = key === null ? null : openValues(key, { eventId, values, sealed });
    if (plain === undefined) throw new Error(`values of event ${eventId} do not open: is the log intact?`);
    return plain;
  };
}

/**
 * Inserts plain values. An erasure holds the lock of the practice: values that were read before it are not inserted after it.
 * @returns false if they were not inserted, and must be read again
 */
async function insertPlain(
  client: Client,
  service: string,
  { values, ...event }: SealedEvent & { readonly values: readonly (object | null)[] },
): Promise<boolean> {
  const { therapistId, position, aggregate, erasures } = event;
  const [data, previous] = values.map((one) => (one === null ? null : JSON.stringify(one)));
  const { rowCount } = await client.query(
    `INSERT INTO ${logTable(service, 'personal_values')} (therapist_id, position, aggregate, data, previous)
     SELECT therapist_id, $2::bigint, $3, $4::jsonb, $5::jsonb FROM ${logTable(service, 'practice_head')}
     WHERE therapist_id = $1 AND erasures = $6 FOR SHARE
     ON CONFLICT DO NOTHING`,
    [therapistId, position, aggregate, data, previous, erasures],
  );
  return rowCount === 1;
}
