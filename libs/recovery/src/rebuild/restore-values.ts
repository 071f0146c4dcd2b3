// Restores the plain form of personal values. Like the read tables, it can be rebuilt: missing values are decrypted from the log.

import { SEALED, type Seal, type StoredValues } from '@practice/core';
import { clientOfSealed, logTable, openKey, openValues, run, selectKeys } from '@practice/log';
import { withOpenClient, type KeyEncryption, type PersonalKeyId } from '@practice/log';
import type { Client } from 'pg';
import type { RebuildInput } from './rebuild.js';

interface SealedEvent {
  readonly therapistId: string;
  readonly position: string;
  readonly aggregate: string;
  readonly eventId: string;
  readonly data: string | null;
  readonly previous: string | null;
}

/** Decrypts values. Each key is opened only once. @returns null for values whose key was erased */
type Open = (event: SealedEvent, values: StoredValues) => Promise<object | null>;

/** With `check`, the values are only counted. */
interface RestoreInput extends Pick<RebuildInput, 'service' | 'url' | 'check'> {
  readonly keyEncryption: KeyEncryption;
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
      for (const event of events) {
        const [data, previous] = [await open(event, 'data'), await open(event, 'previous')];
        if (data === null && previous === null) continue;
        restored += 1;
        if (!check) await insertPlain(client, service, { ...event, values: [data, previous] });
      }
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
       e.data->>'${SEALED}' AS data, e.previous->>'${SEALED}' AS previous
     FROM ${logTable(service, 'events')} AS e
     WHERE (e.data ? '${SEALED}' OR e.previous ? '${SEALED}') AND ($1::uuid IS NULL OR (e.therapist_id, e.position) > ($1, $2))
       AND NOT EXISTS (SELECT FROM ${logTable(service, 'personal_values')} AS p
         WHERE p.therapist_id = e.therapist_id AND p.position = e.position)
     ORDER BY e.therapist_id, e.position LIMIT ${BATCH}`,
    [after?.therapistId ?? null, after?.position ?? null],
  );
  return rows;
}

function opener(client: Client, service: string, keyEncryption: KeyEncryption): Open {
  const keys = new Map<string, Seal | null>();
  const keyOf = async (id: PersonalKeyId): Promise<Seal | null> => {
    const name = `${id.therapistId} ${id.clientId}`;
    const known = keys.get(name);
    if (known !== undefined) return known;
    const [row] = await run(client, selectKeys(service, [id]));
    const key = row?.[1] == null ? null : openKey(service, keyEncryption, { ...id, sealedKey: row[1] });
    keys.set(name, key);
    return key;
  };
  return async ({ therapistId, eventId, ...event }, values) => {
    const sealed = event[values];
    if (sealed === null) return null;
    const key = await keyOf({ therapistId, clientId: clientOfSealed(sealed) });
    const plain = key === null ? null : openValues(key, { eventId, values, sealed });
    if (plain === undefined) throw new Error(`values of event ${eventId} do not open: is the log intact?`);
    return plain;
  };
}

async function insertPlain(
  client: Client,
  service: string,
  { therapistId, position, aggregate, values }: SealedEvent & { readonly values: readonly (object | null)[] },
): Promise<void> {
  const [data, previous] = values.map((one) => (one === null ? null : JSON.stringify(one)));
  await client.query(
    `INSERT INTO ${logTable(service, 'personal_values')} (therapist_id, position, aggregate, data, previous)
     VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`,
    [therapistId, position, aggregate, data, previous],
  );
}
