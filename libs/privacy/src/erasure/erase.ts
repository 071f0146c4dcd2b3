// Erases the personal values of a client, or of a whole practice, in one service. Which values these are is derived from the columns
// that the definitions mark as personal.

import { catalog, personalServices, resourcesOf } from '@practice/contracts';
import { logTable, pipeline, type Statement } from '@practice/log';
import { personalOf, type Resource } from '@practice/resource';
import type { ClientBase } from 'pg';
import { eraseIdempotency } from './forget-answers.js';
import { blankMirror } from './blank-mirror.js';
import { blankRows } from './blank-rows.js';
import { isAffected, isErasedIn, type Erasing } from './erasing.js';

export type { Erasing };

/**
 * Destroys the keys, deletes the plain values, and blanks the copies in read tables, replaced versions, mirror and stored responses.
 * Call it in a transaction that holds the lock of the practice and writes as the service (`asSystem`), or as the owner of the schema.
 * It may be repeated.
 * @returns the number of events whose values are now erased, including values that were erased before
 */
export async function erasePersonal(client: ClientBase, erasing: Erasing): Promise<number> {
  const statements = eraseStatements(erasing);
  const [[row] = []] = (await pipeline(client, statements)).slice(-1);
  return Number(row?.[0] ?? 0);
}

/** The statements of an erasure. The last one returns the number of events. Empty for a service without personal values. */
export function eraseStatements(erasing: Erasing): Statement[] {
  const { service, therapistId, client } = erasing;
  if (!hasPersonalValues(service)) return [];
  const resources = resourcesOf(service).filter((resource) => personalOf(resource) !== null);
  return [
    ...resources.flatMap((resource) => blankRows(resource, erasing)),
    ...(mirrorsClients(service) ? [blankMirror(erasing)] : []),
    eraseIdempotency(service, therapistId),
    blankValues(erasing),
    deleteBlankValues(erasing),
    {
      text: `UPDATE ${logTable(service, 'practice_head')} SET erasures = erasures + 1 WHERE therapist_id = $1`,
      values: [therapistId],
    },
    ...(client === 'all' ? [destroyAllKeys(erasing)] : []),
    destroyKey(erasing),
  ];
}

/** Whether a service stores personal values. */
export const hasPersonalValues = (service: string): boolean => personalServices.includes(service);

/** Whether the service mirrors records with personal values. A service mirrors the records to which its own records refer. */
export const mirrorsClients = (service: string): boolean =>
  catalog.relations.some(
    ({ from, to }) =>
      catalog.resources.get(from)?.service === service &&
      catalog.resources.get(to)?.service !== service &&
      personalOf(catalog.resources.get(to) as Resource) !== null,
  );

/** Each of `data` and `previous` is checked: if a record moved between clients, the event has personal values of two clients. */
const blankValues = (erasing: Erasing): Statement => ({
  text: `UPDATE ${logTable(erasing.service, 'personal_values')} AS p
SET data = CASE WHEN ${isErasedIn('e.data')} THEN NULL ELSE p.data END,
  previous = CASE WHEN ${isErasedIn('e.previous')} THEN NULL ELSE p.previous END
FROM ${logTable(erasing.service, 'events')} AS e
WHERE p.therapist_id = $1 AND e.therapist_id = $1 AND e.position = p.position AND ${isAffected}`,
  values: [erasing.therapistId, [erasing.client]],
});

const deleteBlankValues = ({ service, therapistId }: Erasing): Statement => ({
  text: `DELETE FROM ${logTable(service, 'personal_values')} WHERE therapist_id = $1 AND data IS NULL AND previous IS NULL`,
  values: [therapistId],
});

const destroyAllKeys = ({ service, therapistId }: Erasing): Statement => ({
  text: `UPDATE ${logTable(service, 'personal_keys')} SET sealed_key = NULL, erased_at = coalesce(erased_at, clock_timestamp()) WHERE therapist_id = $1`,
  values: [therapistId],
});

/** Keeps the row as a tombstone, so that no key of this client can be created again. For `all`, it is the row of the practice's key. */
const destroyKey = (erasing: Erasing): Statement => ({
  text: `INSERT INTO ${logTable(erasing.service, 'personal_keys')} AS k (therapist_id, client_id, sealed_key, erased_at, erased_events)
SELECT $1, $3, NULL, clock_timestamp(), count(*) FROM ${logTable(erasing.service, 'events')} AS e
WHERE e.therapist_id = $1 AND ${isAffected}
ON CONFLICT (therapist_id, client_id) DO UPDATE SET sealed_key = NULL,
  erased_at = coalesce(k.erased_at, excluded.erased_at), erased_events = excluded.erased_events
RETURNING erased_events`,
  values: [
    erasing.therapistId,
    [erasing.client],
    erasing.client === 'all' ? erasing.therapistId : erasing.client,
  ],
});
