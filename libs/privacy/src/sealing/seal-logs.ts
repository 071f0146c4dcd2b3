import { resourcesOf } from '@practice/contracts';
import {
  insertKeys,
  logTable,
  makeKey,
  openClient,
  openKey,
  practicesOf,
  run,
  sealLog,
  selectKeys,
} from '@practice/log';
import type { KeyEncryption, LogToSeal, Personal, PlainEvent } from '@practice/log';
import type { Seal } from '@practice/core';
import { clientOf, personalOf } from '@practice/resource';
import type { Row } from '@practice/resource';
import type { Client } from 'pg';

/**
 * Seals the personal values in logs from before they were sealed: of the practices that have no key yet. To be called after
 * migrations, while no older version of the service is running.
 * @param url of the schema's owner
 * @returns the number of events with personal values
 */
export async function sealLogs(service: string, url: string, keyEncryption: KeyEncryption): Promise<number> {
  if (resourcesOf(service).every((resource) => personalOf(resource) === null)) return 0;
  const client = await openClient({ connectionString: url, application_name: `${service} seal logs` });
  try {
    const { rows } = await client.query<{ id: string }>(
      `SELECT DISTINCT therapist_id AS id FROM ${logTable(service, 'personal_keys')}`,
    );
    const sealed = new Set(rows.map(({ id }) => id));
    const practices = [...(await practicesOf(client, service)).keys()].filter((id) => !sealed.has(id));
    let events = 0;
    for (const therapistId of practices) {
      await client.query('BEGIN');
      events += await sealLog(client, logOf(client, { service, therapistId }, keyEncryption));
      await client.query('COMMIT');
    }
    return events;
  } finally {
    await client.end();
  }
}

function logOf(
  client: Client,
  { service, therapistId }: Pick<LogToSeal, 'service' | 'therapistId'>,
  keyEncryption: KeyEncryption,
): LogToSeal {
  const keys = new Map<string, Seal>();
  const keyOf = async (clientId: string): Promise<Seal> => {
    const id = { therapistId, clientId };
    const known = keys.get(clientId);
    if (known !== undefined) return known;
    const [found] = await run(client, selectKeys(service, [id]));
    const sealedKey = found === undefined ? makeKey(service, keyEncryption, id) : String(found[1]);
    if (found === undefined) await run(client, insertKeys(service, [{ ...id, sealedKey }]));
    const key = openKey(service, keyEncryption, { ...id, sealedKey });
    keys.set(clientId, key);
    return key;
  };
  return { service, therapistId, personalIn: personalValuesOf(service), keyOf };
}

/** Whose personal values each event has: the client of a record is known from the events before it. */
function personalValuesOf(service: string): (event: PlainEvent) => Personal | undefined {
  const byAggregate = new Map(resourcesOf(service).map((resource) => [resource.aggregate, resource]));
  const clients = new Map<string, string | null>();
  return ({ aggregate, streamId, data, previous }) => {
    const resource = byAggregate.get(aggregate);
    const columns = resource && personalOf(resource);
    if (columns == null) return undefined;
    const stream = `${aggregate} ${streamId}`;
    const state: Row = { [columns.of]: clients.get(stream) ?? null };
    const after = clientOf(columns, { id: streamId, values: data, state });
    clients.set(stream, after);
    return {
      columns: columns.names,
      clients: { data: after, previous: clientOf(columns, { id: streamId, values: previous ?? {}, state }) },
    };
  };
}
