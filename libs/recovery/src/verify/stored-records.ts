// Stored records together with their events. A check of signatures compares the two.

import { SEALED } from '@practice/core';
import { logTable, openedEvents, type Statement, type TextRow } from '@practice/log';
import { entries, evolve, rowJson, type Fact, type Resource, type Row } from '@practice/resource';
import { tableOf } from '@practice/storage';

/** A record as folded from its events, and whether the read table has the same. */
export interface StoredRecord {
  /** The record as folded from its events; null if it was deleted or has no events. */
  readonly folded: Row | null;
  readonly isSame: boolean;
  readonly events: readonly StoredEvent[];
}

/** An event, with its sealed values in the log. */
export interface StoredEvent extends Fact {
  readonly position: number;
  readonly sealed: string | null;
  readonly erased: boolean;
}

/**
 * SQL that selects the records of a resource whose `column` has a value in the read table or in the log. A record that was removed
 * from one of the two is found in the other.
 */
export const selectStored = (
  resource: Resource,
  {
    therapistId,
    column,
    value,
  }: { readonly therapistId: string; readonly column: string; readonly value: string },
): Statement => {
  const { service, aggregate } = resource;
  const events = logTable(service, 'events');
  const columns = entries(resource.columns).map(([name]) => `t."${name}"`);
  const logged =
    column === 'id'
      ? 'SELECT $2::uuid AS id'
      : `SELECT stream_id AS id FROM ${events} WHERE therapist_id = $1 AND aggregate = '${aggregate}' AND data->>'${column}' = $2::text`;
  return {
    text: `SELECT (SELECT json_agg(json_build_object('position', e.position, 'type', e.type, 'data', e.data, 'schemaVersion', e.schema_version,
  'recordedAt', to_json(e.recorded_at) #>> '{}', 'erased', e.erased, 'sealed', raw.data->>'${SEALED}') ORDER BY e.version)
  FROM ${openedEvents(service)} AS e JOIN ${events} AS raw USING (therapist_id, position)
  WHERE e.therapist_id = $1 AND e.stream_id = found.id AND e.aggregate = '${aggregate}'), t._json, ${columns.join(', ')}
FROM (${logged} UNION SELECT id FROM ${tableOf(resource)} WHERE therapist_id = $1 AND "${column}" = $2::uuid) AS found
LEFT JOIN ${tableOf(resource)} AS t ON t.therapist_id = $1 AND t.id = found.id`,
    values: [therapistId, value],
  };
};

/** The records that `selectStored` finds. */
export const readStored = (resource: Resource, rows: readonly TextRow[]): StoredRecord[] =>
  rows.map(([events, json, ...texts]) => {
    const facts = JSON.parse(events ?? '[]') as StoredEvent[];
    const folded = facts.reduce<Row | null>((state, fact) => evolve(resource, state, fact), null);
    return { folded, events: facts, isSame: isStored(resource, folded, { json: json ?? null, texts }) };
  });

/** Whether the read table has a record as it was folded from its events, both in its columns and in its JSON. */
function isStored(
  resource: Resource,
  folded: Row | null,
  { json, texts }: { readonly json: string | null; readonly texts: readonly (string | null)[] },
): boolean {
  if (folded === null) return json === null;
  const isEqual = entries(resource.columns).every(([name, { kind }], index) => {
    const text = texts[index] ?? null;
    const value = folded[name] ?? null;
    return JSON.stringify(text === null ? null : kind.fromText(text)) === JSON.stringify(value);
  });
  return isEqual && json === rowJson(resource, folded);
}
